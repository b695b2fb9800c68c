"""The fair order: the hand that moved first wins the pile, whatever the links are. Pure: no I/O, no clock, no chance.

| module | what it holds |
|---|---|
| `speed_common.fair_settings` | `FairSettings` with its presets and modes |
| `link` | one link: the clock's interval, its epoch, how long messages take |
| `trust` | the test of ranks, the stall budget |
| `player` | `FairPlayer`: link, trust, credit bucket and heartbeat period of one player; the *session* owns it |
| `showing` | when each thing is shown and sent to whom, and how late each player saw it |
| `watermarks` | before which race time a player can press nothing more, and whom to probe |
| `waiting` | the plays that wait |
| `order` | `FairOrder`: one deal's plays in their fair order; the *deal* owns it |
| `cost` | what it cost each player of a deal, for the result |
| `arrival` | `ArrivalOrder`: the same calls, plain arrival order |
| `speed_common.verdict` | the record of each judgement, and `recompute` |

What is short is kept in lists: an empty deque takes as much memory as eighty numbers, and a table would have two dozen.

What each message must carry for it (`c_*`: raw readings of the client's `perf_counter_ns`):

* `Hello`: `grain_us`, the step of the client's clock as it measured it; 0 if below a millisecond.
* Every message up: `c_send`, read when it is handed to the socket, after all that was pressed before. It never falls:
  a message of an earlier press is not sent after one with a later `c_send`.
* `Beat`, `ProbeBack`: `(s_sent, c_got)` of one message of the server's: for a `ProbeBack` its `Probe`, for a `Beat` the
  *first* `BeatBack` that came since the last `Beat` (of several that came in one heap it was the slowest), else 0, 0.
* `Beat`, `ProbeBack`, `PlayCard`, `DrawCard`: `shown`, a list of `(revision, c_shown)` of all that was shown since the
  last message up, `c_shown` being the instant at which it was drawn. So a play says that of what it reacts to.
* `PlayCard`: `aimed` (the pile that the client drew it on, for an automatic one), `after` (the `seq` of the own
  unanswered play that it rests on: the card lands on that one's card, or is its refill; else 0), `revision` shown.
* `BeatBack`: `beat_us`, how often to beat while a deal runs (`FairPlayer.beat_ns`).
* `Probe` (down): `s_sent`, `wait_us`; answered by `ProbeBack` so long after it came.
* `Delta`: `show_at_ns` in server time; the client shows it then by its own clock, or at once when that is past, in the
  order of revisions. Own plays stay drawn as pending; own input never waits.

The own *refill card one ahead* is the view's affair: a seat's own view carries the next card of its draw pile, which
the client turns up at its own press. Here it counts as seen at that press (`played(refill=...)`).
"""
