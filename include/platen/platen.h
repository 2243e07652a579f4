// libplaten: ZPL II label code to pictures. The only public header.
#ifndef PLATEN_PLATEN_H
#define PLATEN_PLATEN_H

#define PLATEN_VERSION "1.0.0"

#endif
