// What is sent to topics, as each loop gets it.
#ifndef HTTP_EVENTS_H
#define HTTP_EVENTS_H

struct http_loop;

void http_events_take(struct http_loop *l); // what was published, to its subscribers
void http_events_beat(struct http_loop *l); // signs of life, when they are due
void http_events_drop(struct http_loop *l); // what nobody will take any more

#endif
