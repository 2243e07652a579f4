// What the files of the printers' sockets share: connections, and what is done with their bytes. All on their one
// thread.
#ifndef PLATEN_PRINTER_IO_PARTS_H
#define PLATEN_PRINTER_IO_PARTS_H

#include <sys/socket.h>

#include "http/io/seam.h"
#include "printer/lpd.h"
#include "printer_hub.h"

#define CONNECTIONS_MOST 1024u
#define READ_BYTES 65536u
#define LPD_HELD ((uint64_t)256 << 10) // a file of LPD up to this size is printed when its mark has come
#define OUT_BYTES ((size_t)8 << 20)    // that a client does not read; then its connection ends
#define OUT_PAUSE ((size_t)256 << 10)  // that a client has not read: it is not read either

enum io_kind { IO_RAW, IO_JSON, IO_LPD, IO_DISCOVERY, IO_MDNS };

struct io_listener {
    enum io_kind kind;
    struct printer *printer;
    int fd;
};

struct io_connection {
    enum io_kind kind;
    uint64_t id;
    int fd;
    struct printer *printer;
    struct printer_source source;
    struct sockaddr_storage peer;
    struct printer_splitter splitter;
    struct lpd lpd;
    struct pl_buf file; // of LPD, until its mark comes
    struct pl_buf out;
    size_t out_from;
    bool decided;  // that it is no HTTP
    bool can_read; // the socket may hold bytes
    bool said_all; // the client sends no more; bytes may still be there
    bool ended;    // and all was read
    bool partial;  // counted in printer->partial
    bool refused;  // it was told so: what still comes is thrown away
    size_t discarded;
    uint32_t jobs; // that are not done yet
    uint64_t last_ns;
};

struct io_message {
    struct io_message *next;
    uint64_t connection;
    bool done; // a job is; otherwise a reply
    size_t size;
    uint8_t data[];
};

struct printer_io {
    struct printer_hub *hub;
    int poller, waker;
    pthread_t thread;
    bool started;
    struct io_listener listeners[PRINTERS_MAX * 3 + 2];
    uint32_t listener_count;
    struct io_connection *slots[CONNECTIONS_MOST];
    uint32_t count;
    uint64_t generation;
    uint64_t held; // bytes of units that have not ended, and of answers that are not read
    uint8_t *room;
    atomic_bool stopping, woken;
    atomic_uint by_printer[PRINTERS_MAX];
    pthread_mutex_t lock; // of the messages
    struct io_message *first, *last;
    uint32_t cuts; // bits of printers
};

// printer_socket.c: a socket that is bound, and listens if it is a stream; which address it got.
enum pl_errc printer_open_socket(const char *address, int type, int *out, char *host_out, size_t host_size,
                                 uint16_t *port_out, struct pl_error *err) PL_MUST_USE;

// printer_input.c: what a connection sent. False: it may not go on.
bool io_take_bytes(struct printer_io *io, struct io_connection *c, struct pl_slice bytes);
void io_end_input(struct printer_io *io, struct io_connection *c); // there is no more
void io_put_answer(struct printer_io *io, struct io_connection *c, struct pl_slice text);
void io_note_partial(struct io_connection *c); // whether a format has begun
uint64_t io_held_by(const struct io_connection *c);

// printer_io.c: forgets it; the descriptor is closed unless somebody else has it now.
void io_drop(struct printer_io *io, struct io_connection *c, bool reset, bool close_it);
// printer_http.c: is it HTTP? False: the connection is no longer here.
bool io_decide(struct printer_io *io, struct io_connection *c);

#endif
