-- One report of a process to the limit that all processes share, and what it may have in flight.
-- KEYS: state (hash), grants (hash: process -> grant, wanted, time).
-- ARGV: process, in flight, waiting, succeeded, was rate limited, retry after (ms), failed,
--       ceiling, start, lease (ms), cooldown (ms).
-- Returns: grant, pause (ms) before the next request, limit.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local process = ARGV[1]
local in_flight, waiting, succeeded = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local limited, retry_after, failed = ARGV[5] == '1', tonumber(ARGV[6]), tonumber(ARGV[7])
local ceiling, start = tonumber(ARGV[8]), tonumber(ARGV[9])
local lease, cooldown = tonumber(ARGV[10]), tonumber(ARGV[11])

local function read(name, default)
  return tonumber(redis.call('HGET', KEYS[1], name) or default)
end
local limit = read('limit', math.min(start, ceiling))
local quiet_until, pause_until = read('quiet_until', 0), read('pause_until', 0)
local round, peak, slow_start = read('round', 0), read('peak', 0), read('slow_start', 1)

-- The grants of the others; a process that reports no more has died.
local others, count = {}, 0
local flat = redis.call('HGETALL', KEYS[2])
local granted = 0
for place = 1, #flat, 2 do
  local id = flat[place]
  local grant, wanted, at = string.match(flat[place + 1], '(%d+) (%d+) (%d+)')
  if now - tonumber(at) > lease then
    redis.call('HDEL', KEYS[2], id)
  elseif id ~= process then
    count = count + 1
    others[count] = tonumber(wanted)
    granted = granted + tonumber(grant)
  end
end

if limited then
  -- Requests that were in flight at the cut are refused as well: they cut once.
  if now >= quiet_until then
    limit = math.max(1, math.floor(limit * 0.8))
    slow_start, round, peak = 0, 0, 0
  end
  quiet_until = math.max(quiet_until, now + math.max(cooldown, retry_after))
  pause_until = math.max(pause_until, now + retry_after)
end
peak = math.max(peak, granted + in_flight)
round = round + succeeded
if failed > 0 then
  round = 0 -- a server in trouble gets no more, and no less
elseif now >= quiet_until and round >= limit then
  -- Only a limit that was nearly reached has been tried.
  if peak >= 0.8 * limit then
    if slow_start == 1 then limit = limit * 2 else limit = limit + math.max(1, limit * 0.05) end
  end
  round, peak = 0, 0
end
limit = math.min(limit, ceiling)

-- No process gets what another needs of its fair share, and the sum stays within the limit.
local whole, wanted = math.floor(limit), in_flight + waiting
local fair = math.max(1, math.floor(whole / (count + 1)))
local needed = 0
for _, want in ipairs(others) do needed = needed + math.min(want, fair) end
local grant = math.min(wanted, math.max(fair, whole - needed), math.max(0, whole - granted))
-- What is in flight above it is not granted to others before it has ended, and nothing follows it.
local held = math.max(grant, in_flight)
if wanted == 0 then
  redis.call('HDEL', KEYS[2], process)
else
  redis.call('HSET', KEYS[2], process, held .. ' ' .. wanted .. ' ' .. string.format('%.0f', now))
end
redis.call('HSET', KEYS[1], 'limit', tostring(limit), 'round', round, 'peak', peak,
  'slow_start', slow_start, 'quiet_until', string.format('%.0f', quiet_until),
  'pause_until', string.format('%.0f', pause_until))
redis.call('PEXPIRE', KEYS[1], 600000)
redis.call('PEXPIRE', KEYS[2], 600000)
return {grant, math.max(0, pause_until - now), whole}
