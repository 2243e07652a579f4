// The folder of --state: what a service finds in it at its start. What it leaves there is written by a process of
// printer_outside.h.
#ifndef PLATEN_PRINTER_STATE_H
#define PLATEN_PRINTER_STATE_H

#include "printer_hub.h"

static inline bool printer_state_asked(const struct printer_hub *hub)
{
    return hub->options.state_dir && *hub->options.state_dir;
}

// One service for a folder: two would print the kept jobs twice.
enum pl_errc printer_state_lock(struct printer_hub *hub, struct pl_error *err) PL_MUST_USE;
void printer_state_unlock(struct printer_hub *hub);
// Loads drive E: and settings of a printer, and its jobs that were not printed. A missing file is no error; a damaged
// one is set aside.
enum pl_errc printer_state_load(struct printer_hub *hub, struct printer *printer, struct pl_error *err) PL_MUST_USE;
// The service has the kept jobs: their files get another name, all or none (false), and then go.
bool printer_state_take(struct printer_hub *hub);
void printer_state_forget(struct printer_hub *hub);
void printer_state_give_back(struct printer_hub *hub); // the start has failed: they are as they were

#endif
