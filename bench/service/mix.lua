-- wrk script: POSTs a mix of label files in turn. Arguments: path, content type, one file per line in a list.
local bodies, at = {}, 0

function init(args)
  path = args[1]
  local json = args[3] == "json"
  wrk.headers["Content-Type"] = json and "application/json" or "text/plain"
  for line in io.lines(args[2]) do
    local file = assert(io.open(line, "rb"))
    local zpl = file:read("*a")
    file:close()
    if json then
      zpl = '{"zpl":"' .. zpl:gsub('[%z\1-\31\\"\128-\255]', function(c) return string.format("\\u%04x", c:byte()) end) .. '"}'
    end
    bodies[#bodies + 1] = wrk.format("POST", path, nil, zpl)
  end
end

function request()
  at = at % #bodies + 1
  return bodies[at]
end

function done(summary, latency, requests)
  io.write(string.format("RESULT %.1f %.0f %.0f %d\n", summary.requests / summary.duration * 1e6,
    latency:percentile(50), latency:percentile(99), summary.errors.connect + summary.errors.status + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
