// Node's error codes as WASI's numbers.

const NAMES = (
  "SUCCESS 2BIG ACCES ADDRINUSE ADDRNOTAVAIL AFNOSUPPORT AGAIN ALREADY BADF BADMSG BUSY CANCELED CHILD CONNABORTED CONNREFUSED CONNRESET DEADLK " +
  "DESTADDRREQ DOM DQUOT EXIST FAULT FBIG HOSTUNREACH IDRM ILSEQ INPROGRESS INTR INVAL IO ISCONN ISDIR LOOP MFILE MLINK MSGSIZE MULTIHOP NAMETOOLONG " +
  "NETDOWN NETRESET NETUNREACH NFILE NOBUFS NODEV NOENT NOEXEC NOLCK NOLINK NOMEM NOMSG NOPROTOOPT NOSPC NOSYS NOTCONN NOTDIR NOTEMPTY " +
  "NOTRECOVERABLE NOTSOCK NOTSUP NOTTY NXIO OVERFLOW OWNERDEAD PERM PIPE PROTO PROTONOSUPPORT PROTOTYPE RANGE ROFS SPIPE SRCH STALE TIMEDOUT TXTBSY XDEV"
).split(" ");

export const E = { SUCCESS: 0, IO: NAMES.indexOf("IO"), INVAL: NAMES.indexOf("INVAL") };

/** What is no error of the system is a mistake of this program, and is thrown on. */
export function errnoOf(error: unknown): number {
  const code = (error as NodeJS.ErrnoException).code;
  if (typeof code !== "string") throw error;
  if (code.startsWith("ERR_INVALID_ARG")) return E.INVAL; // a name with a NUL in it
  const number = NAMES.indexOf(code.replace(/^E/, ""));
  return number < 0 ? E.IO : number;
}
