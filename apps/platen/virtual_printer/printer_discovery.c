// Packets by which printers are found.
#include "printer_discovery.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "printer/discovery.h"
#include "printer/mdns.h"
#include "printer_hub.h"

#define PACKETS_PER_TURN 64
#define PACKET_MOST 9000u
#define MDNS_GROUP 0xE00000FBu // 224.0.0.251

// ---- Zebra's discovery

bool printer_discovery_prepare(int fd)
{
    int on = 1;
    return setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &on, sizeof on) == 0;
}

// A packet, who sent it, and the address of the interface that it came to.
struct probe {
    uint8_t bytes[512];
    size_t size;
    struct sockaddr_storage peer;
    socklen_t peer_size;
    struct in_addr to;
};

// False: there is none.
static bool receive_probe(int fd, struct probe *probe)
{
    union {
        struct cmsghdr head;
        uint8_t room[256];
    } control;
    struct iovec part = {probe->bytes, sizeof probe->bytes};
    struct msghdr message = {.msg_name = &probe->peer,
                             .msg_namelen = sizeof probe->peer,
                             .msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t n = recvmsg(fd, &message, MSG_DONTWAIT);
    if (n < 0)
        return false;
    probe->size = (size_t)n;
    probe->peer_size = message.msg_namelen;
    probe->to.s_addr = htonl(INADDR_LOOPBACK);
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
        struct in_pktinfo info;
        if (c->cmsg_level != IPPROTO_IP || c->cmsg_type != IP_PKTINFO)
            continue;
        memcpy(&info, CMSG_DATA(c), sizeof info);
        probe->to = info.ipi_spec_dst;
    }
    return true;
}

static bool is_loopback(struct in_addr ip)
{
    return ntohl(ip.s_addr) >> 24 == IN_LOOPBACKNET;
}

// Where who asked reaches the printer. False: nowhere.
static bool address_for(const struct printer *p, const struct probe *probe, struct in_addr *ip)
{
    struct in_addr peer = {0};
    if (probe->peer.ss_family == AF_INET)
        peer = ((const struct sockaddr_in *)(const void *)&probe->peer)->sin_addr;
    if (strcmp(p->address, "::") == 0 || strcmp(p->address, "0.0.0.0") == 0) {
        *ip = probe->to;
        return true;
    }
    if (inet_pton(AF_INET, p->address, ip) != 1)
        return false; // the answer has no room for another kind of address
    return !is_loopback(*ip) || is_loopback(probe->to) || peer.s_addr == probe->to.s_addr;
}

// From the address that was asked.
static void send_answer(int fd, const struct probe *probe, uint8_t *bytes, size_t size)
{
    union {
        struct cmsghdr head;
        uint8_t room[CMSG_SPACE(sizeof(struct in_pktinfo))];
    } control = {0};
    const struct in_pktinfo info = {.ipi_spec_dst = probe->to};
    struct iovec part = {bytes, size};
    struct msghdr message = {.msg_name = (void *)(uintptr_t)&probe->peer,
                             .msg_namelen = probe->peer_size,
                             .msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = IPPROTO_IP;
    c->cmsg_type = IP_PKTINFO;
    c->cmsg_len = CMSG_LEN(sizeof info);
    memcpy(CMSG_DATA(c), &info, sizeof info);
    if (sendmsg(fd, &message, MSG_DONTWAIT) < 0)
        errno = 0; // it is asked again
}

void printer_answer_probes(struct printer_hub *hub, int fd)
{
    struct probe probe;
    uint8_t answer[DISCOVERY_ANSWER];
    for (int i = 0; i < PACKETS_PER_TURN && receive_probe(fd, &probe); i++) {
        if (!discovery_is_probe(pl_slice_make(probe.bytes, probe.size)))
            continue;
        for (uint32_t k = 0; k < hub->count; k++) {
            struct printer *p = &hub->printers[k];
            struct printer_face face;
            struct in_addr ip;
            if (!atomic_load(&p->is_there) || !address_for(p, &probe, &ip))
                continue;
            pthread_mutex_lock(&p->lock);
            printer_face(p, &face);
            discovery_answer(&face, (const uint8_t *)&ip.s_addr, answer);
            pthread_mutex_unlock(&p->lock);
            send_answer(fd, &probe, answer, sizeof answer);
        }
    }
}

// ---- multicast DNS

enum pl_errc printer_mdns_open(struct printer_hub *hub, int *out, struct pl_error *err)
{
    struct in_addr interface = {0};
    inet_pton(AF_INET, hub->options.mdns, &interface); // printer_hub_check has read it, too
    const struct sockaddr_in any = {
        .sin_family = AF_INET, .sin_port = htons(MDNS_PORT), .sin_addr.s_addr = htonl(INADDR_ANY)};
    const struct ip_mreqn group = {.imr_multiaddr.s_addr = htonl(MDNS_GROUP), .imr_address = interface};
    int on = 1, off = 0, hops = 255;
    int fd = *out = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    // Other responders of this machine have the port too.
    bool good = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0 &&
                bind(fd, (const struct sockaddr *)&any, sizeof any) == 0 &&
                setsockopt(fd, IPPROTO_IP, IP_MULTICAST_ALL, &off, sizeof off) == 0 &&
                setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof group) == 0 &&
                setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &group, sizeof group) == 0 &&
                setsockopt(fd, IPPROTO_IP, IP_MULTICAST_TTL, &hops, sizeof hops) == 0;
    if (good)
        return PL_OK;
    int reason = errno;
    if (fd >= 0)
        close(fd);
    return pl_fail(err, PL_E_IO, "--printer-mdns: cannot listen on %s: %s", hub->options.mdns, strerror(reason));
}

// What is said of a printer. False: nobody reaches it at the address of --printer-mdns.
static bool describe(const struct printer_hub *hub, const struct printer *p, char host[64], struct mdns_printer *out)
{
    struct in_addr own = {0}, ip;
    inet_pton(AF_INET, hub->options.mdns, &ip);
    bool everywhere = strcmp(p->address, "::") == 0 || strcmp(p->address, "0.0.0.0") == 0;
    if (!atomic_load(&p->is_there))
        return false;
    if (!everywhere && (inet_pton(AF_INET, p->address, &own) != 1 || own.s_addr != ip.s_addr))
        return false;
    snprintf(host, 64, "platen-%s", p->serial);
    *out = (struct mdns_printer){
        .name = p->spec.name, .host = host, .model = "ZT410", .port = p->port, .lpd_port = p->lpd_port};
    memcpy(out->ip, &ip.s_addr, sizeof out->ip);
    return true;
}

static void send_to(int fd, const struct sockaddr_in *peer, const struct pl_buf *packet)
{
    if (sendto(fd, packet->data, packet->len, MSG_DONTWAIT, (const struct sockaddr *)peer, sizeof *peer) < 0)
        errno = 0; // it is asked again
}

static struct sockaddr_in everybody(void)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(MDNS_PORT), .sin_addr.s_addr = htonl(MDNS_GROUP)};
}

void printer_mdns_answer(struct printer_hub *hub, int fd)
{
    static uint8_t packet[PACKET_MOST]; // of the one thread
    const struct sockaddr_in all = everybody();
    struct sockaddr_in peer;
    struct pl_buf answer;
    pl_buf_init(&answer, MDNS_PACKET);
    for (int i = 0; i < PACKETS_PER_TURN; i++) {
        socklen_t size = sizeof peer;
        ssize_t n = recvfrom(fd, packet, sizeof packet, MSG_DONTWAIT, (struct sockaddr *)&peer, &size);
        if (n < 0)
            break;
        bool plain_dns = ntohs(peer.sin_port) != MDNS_PORT;
        for (uint32_t k = 0; k < hub->count; k++) {
            struct mdns_printer printer;
            char host[64];
            if (!describe(hub, &hub->printers[k], host, &printer))
                continue;
            enum mdns_reach reach = mdns_answer(&printer, pl_slice_make(packet, (size_t)n), plain_dns, &answer);
            if (reach != MDNS_SILENT)
                send_to(fd, reach == MDNS_TO_ALL ? &all : &peer, &answer);
        }
    }
    pl_buf_fini(&answer);
}

void printer_mdns_announce(struct printer_hub *hub, int fd, bool leaves)
{
    const struct sockaddr_in all = everybody();
    struct pl_buf packet;
    pl_buf_init(&packet, MDNS_PACKET);
    for (uint32_t k = 0; k < hub->count; k++) {
        struct mdns_printer printer;
        char host[64];
        if (!describe(hub, &hub->printers[k], host, &printer))
            continue;
        mdns_announce(&printer, leaves, &packet);
        if (!packet.failed)
            send_to(fd, &all, &packet);
    }
    pl_buf_fini(&packet);
}
