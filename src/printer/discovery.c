// Discovery: fields at fixed places.
#include "printer/discovery.h"

#include <string.h>

#include "base/ckd.h"

bool discovery_is_probe(struct pl_slice packet)
{
    static const uint8_t PROBE[] = {0x2E, 0x2C, 0x3A, 0x01};
    return packet.len >= sizeof PROBE && memcmp(packet.ptr, PROBE, sizeof PROBE) == 0;
}

static void put(uint8_t *out, size_t at, size_t room, const char *text)
{
    memcpy(out + at, text, PL_MIN(strlen(text), room));
}

void discovery_answer(const struct printer_face *face, const uint8_t ip[4], uint8_t out[DISCOVERY_ANSWER])
{
    static const uint8_t HEAD[] = {0x3A, 0x2C, 0x2E, 0x03};
    static const uint8_t MASK[] = {255, 255, 255, 0};
    memset(out, 0, DISCOVERY_ANSWER);
    memcpy(out, HEAD, sizeof HEAD);
    put(out, 4, 8, "79071");
    put(out, 12, 20, face->model);
    put(out, 32, 7, "2021090");
    put(out, 39, 10, face->firmware);
    put(out, 49, 3, "ZBR");
    memcpy(out + 54, face->mac, 6);
    put(out, 60, 10, face->serial);
    memcpy(out + 72, ip, 4);
    memcpy(out + 76, MASK, 4);
    memcpy(out + 80, ip, 3);
    out[83] = 1;
    put(out, 84, 25, face->name);
}
