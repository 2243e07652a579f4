// The folder of --state: what a service finds in it at its start. What it leaves there is written by a process of
// printer_outside.h.
#ifndef PLATEN_PRINTER_STATE_H
#define PLATEN_PRINTER_STATE_H

#include "printer_hub.h"

// One service for a folder: two would print the kept jobs twice.
enum pl_errc printer_state_lock(struct printer_hub *hub, struct pl_error *err) PL_MUST_USE;
void printer_state_unlock(struct printer_hub *hub);
// Drive E: and settings of a printer, and its jobs that were not printed. None is none; a damaged file is set aside.
enum pl_errc printer_state_load(struct printer_hub *hub, struct printer *printer, struct pl_error *err) PL_MUST_USE;
// Gives a file another name. False: it cannot; with EEXIST: a file has that name, and stays.
bool printer_state_rename(const char *from, const char *to);
// The service has the kept jobs: their files get another name, all or none (false), and then go.
bool printer_state_take(struct printer_hub *hub);
void printer_state_forget(struct printer_hub *hub);
void printer_state_give_back(struct printer_hub *hub); // the start has failed: they are as they were

#endif
