// What the files of the printers' sockets share: connections, and what is done with their bytes. All on their one
// thread.
#ifndef PLATEN_PRINTER_IO_PARTS_H
#define PLATEN_PRINTER_IO_PARTS_H

#include <sys/socket.h>

#include "http/system/backoff.h"
#include "printer/lpd.h"
#include "printer_hub.h"

#define CONNECTIONS_MOST 1024u
#define READ_BYTES 65536u
#define LPD_HELD ((uint64_t)256 << 10) // a file of LPD up to this size is printed when its mark has come
#define OUT_BYTES ((size_t)8 << 20)    // that a client does not read; then its connection ends
#define OUT_PAUSE ((size_t)256 << 10)  // that a client has not read: it is not read either
#define WORK_OF_TURN                                                                                                   \
    ((size_t)128 << 10) // what a connection may cost before others have their turn, as bytes that are read
#define WORK_OF_UNIT ((size_t)1 << 10)
#define WORK_OF_ANSWER 16u // for each byte

enum io_kind { IO_RAW, IO_JSON, IO_LPD, IO_DISCOVERY, IO_MDNS };

struct io_listener {
    enum io_kind kind;
    struct printer *printer;
    int fd; // -1: it is closed
    struct http_backoff backoff;
};

struct io_connection {
    enum io_kind kind;
    uint64_t id;
    int fd;
    struct printer *printer;
    uint64_t client; // whose share it counts for
    struct printer_source source;
    struct sockaddr_storage peer;
    struct printer_splitter splitter;
    struct lpd lpd;
    struct pl_buf file; // of LPD, until its mark comes
    size_t file_from;   // the bytes before were taken
    bool file_whole;    // the mark has come: it is taken when there is room
    struct pl_buf out;
    size_t out_from;
    size_t held;       // bytes that it counts for
    uint32_t siblings; // connections of its client, at the time when one has to go
    bool decided;      // that it is no HTTP
    bool begun;        // bytes are there, too few to decide
    bool can_read;     // the socket may hold bytes
    bool said_all;     // the client sends no more; bytes may still be there
    bool ended;        // and all was read
    bool leaves;       // the service ends: no more bytes are acknowledged
    bool deaf;         // it takes no answers
    bool partial;      // counted in printer->partial
    bool refused;      // it was told so: what still comes is thrown away
    bool starved;      // there was no memory for a job of it, or for an answer
    size_t discarded;
    uint32_t jobs;    // that are not done yet
    uint64_t turn;    // in which it last had work done
    size_t work;      // of that turn: see WORK_OF_TURN
    uint64_t last_ns; // when bytes came or went
};

struct io_message {
    struct io_message *next;
    uint64_t connection;
    size_t size;
    uint8_t data[];
};

struct printer_io {
    struct printer_hub *hub;
    const struct http_seam *seam;
    int poller, waker;
    pthread_t thread;
    bool started;
    struct io_listener listeners[PRINTERS_MAX * 3 + 2];
    uint32_t listener_count;
    struct io_connection *slots[CONNECTIONS_MOST];
    uint32_t count, most; // connections
    uint32_t first_slot;  // whose turn it is to be read first
    uint64_t generation;
    uint64_t held; // bytes of units that have not ended, and of answers that are not read
    uint64_t now_ns;
    uint64_t turn;      // counts them
    uint64_t silent_ns; // when the next silent connection is over; UINT64_MAX: there is none
    uint64_t say_ns;    // when standard error is told of refusals again
    uint32_t unsaid;    // refusals that wait for it
    bool more;          // somebody can be read at once
    bool doors_closed;
    uint64_t finish_ns; // the end of the end: what is not read by then is named; 0: it has not begun
    uint8_t *room;
    atomic_bool stopping, woken, draining, drained, announces;
    pthread_mutex_t lock; // of what others send
    struct io_message *first, *last;
    struct printer_job *done; // jobs whose connections do not know yet
    uint32_t cuts;            // bits of printers
};

// printer_socket.c: a socket that is bound, and listens if it is a stream; which address it got.
enum pl_errc printer_open_socket(const char *address, int type, int *out, char *host_out, size_t host_size,
                                 uint16_t *port_out, struct pl_error *err) PL_MUST_USE;

// printer_http.c: is it HTTP? False: the connection is no longer here.
bool io_decide(struct printer_io *io, struct io_connection *c);

// printer_input.c: what a connection sent. False: it may not go on.
// Takes bytes off the front of *bytes, as many as there is room for.
bool io_take_bytes(struct printer_io *io, struct io_connection *c, struct pl_slice *bytes);
void io_take_file(struct printer_io *io, struct io_connection *c); // of LPD, that is here as a whole
void io_end_input(struct printer_io *io, struct io_connection *c); // there is no more
void io_put_answer(struct printer_io *io, struct io_connection *c, struct pl_slice text);
void io_note_partial(struct io_connection *c);     // whether a format has begun
bool io_is_between(const struct io_connection *c); // with nothing of another job

// printer_share.c: who may have how much. Others may have to go for it.
void io_count_held(struct printer_io *io, struct io_connection *c);               // after every change
bool io_share_bytes(struct printer_io *io, struct io_connection *c, size_t more); // false: this one has to go
void io_share_connections(struct printer_io *io, const struct printer *printer, uint64_t client);
bool io_give_up_silent(struct printer_io *io); // one that does nothing; false: there is none
void io_end_silent(struct printer_io *io);     // those that have begun something and do not go on
void io_say_rest(struct printer_io *io);       // refusals that standard error was not told of

// printer_read.c
bool io_read_once(struct printer_io *io, struct io_connection *c); // false: it may not go on
// No more will be read of it. What is there of a download is whole; a format without its end is not.
void io_leave(struct printer_io *io, struct io_connection *c);
// The end of one connection: what was acknowledged is taken first.
void io_part(struct printer_io *io, struct io_connection *c);
// Forgets it; the descriptor is closed unless somebody else has it now.
void io_drop(struct printer_io *io, struct io_connection *c, bool reset, bool close_it);

// printer_connection.c
void io_accept(struct printer_io *io, struct io_listener *listener);
bool io_run(struct printer_io *io, struct io_connection *c); // false: it is gone
bool io_wants_input(const struct io_connection *c);          // can it be read now?

// printer_drain.c: one turn of the end.
void io_drain(struct printer_io *io);

#endif
