// What the routes of conversions share.
#ifndef PLATEN_API_CONVERT_H
#define PLATEN_API_CONVERT_H

#include "answer/label_part.h"
#include "api.h"

// Has it converted by a renderer. False: the problem is in res.
bool convert_ask(struct convert_call *c, struct label_part *part);
// How the result stands in JSON: as a string, as it is, in base64.
enum convert_form { FORM_TEXT, FORM_JSON, FORM_BYTES };
// Sends `text`, or JSON {"ok":true,"<key>":…,"warnings":[…]} of it. Returns the status.
int convert_answer_text(struct convert_call *c, struct label_part *part, const char *type);
int convert_answer_json(struct convert_call *c, struct label_part *part, const char *key, enum convert_form form);
// Does `strict` refuse the result? Then the problem (400), which lists the warnings, is in res.
bool convert_is_refused(struct convert_call *c, const struct label_part *part);
// Sends the members that the renderer wrote as an object of their own.
int convert_answer_members(struct convert_call *c, struct label_part *part);
// Has a renderer answer all of the request at once, and sends what `answer` makes of the members that it wrote. The log
// has `name` as the format. Returns the status.
int convert_whole(struct render_call *call, const struct render_ask *ask, const char *name,
                  int (*answer)(struct render_call *call, const struct label_part *part));
// Sends `text`, an open object of JSON, with what was ignored of the controls as its last member, `warnings`. Takes the
// text.
int convert_answer_noted(struct render_call *call, struct pl_buf *text, const struct controls *controls);
// Does Accept ask for a printer language that is not written? Then the problem (406), with the types that are written,
// is in res.
bool api_refuses_language(const struct http_request *req, struct http_response *res, const char *written);

#endif
