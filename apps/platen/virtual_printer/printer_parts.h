// What the files of a printer share. With the printer's lock held, where nothing else is said.
#ifndef PLATEN_PRINTER_PARTS_H
#define PLATEN_PRINTER_PARTS_H

#include "printer.h"

#define PRINTER_BROWSER_BYTES ((size_t)1 << 20) // answers that nobody has read

struct printer_job *printer_take_job(struct printer *printer); // the first one, which there is
// The service ends: the job is the first again. Without the lock.
void printer_put_back(struct printer *printer, struct printer_job *job);
bool printer_can_draw(const struct printer *printer); // there is a job, and room for its labels
void printer_cancel_jobs(struct printer *printer);    // those that wait and do not last
bool printer_has_room_now(const struct printer *printer, uint64_t client);

// Labels that wait to be printed; without room no more jobs are drawn.
void printer_list_append(struct printer_list *list, struct printed_label *label);
bool printer_list_has_room(const struct printer_list *list);

// Its connection learns that it is over; the last thing that happens to a job.
void printer_end_job(struct printer *printer, struct printer_job *job, enum printer_job_state state);

// printer_draw.c, without the lock: has the job drawn, keeps what it leaves in the memory, sends its answers; its
// labels wait to be printed. How it ended: JOB_DRAWN (listed as refused, perhaps), JOB_CANCELLED, or JOB_QUEUED: the
// service ends, and the rest of it is to be drawn another time.
enum printer_job_state printer_draw(struct printer *printer, struct printer_job *job, struct renderer_link *link);
// The job is listed with the reason why it has no label.
// `failed`: it was accepted, so it is printed as refused, kept or named.
void printer_refuse(struct printer *printer, const struct printer_job *job, uint64_t epoch, const char *reason,
                    bool failed);

#endif
