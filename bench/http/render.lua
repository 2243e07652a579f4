-- Requests that keep every worker rendering: one label of common size with text, a barcode and boxes.
wrk.method = "POST"
wrk.headers["Content-Type"] = "text/plain"
wrk.body = "^XA^CF0,60^FO50,50^GB700,1100,4^FS^FO100,100^FDHealth under load^FS^FO100,200^BY4^BCN,200,Y^FD1234567890^FS"
  .. "^FO100,600^BQN,2,10^FDQA,https://example.org/label/1234567890^FS^XZ"
