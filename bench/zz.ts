import { loadTextEngine } from '#engine/text/engine.ts';
import { readSessions } from '../test/fixtures/action-traces/read-sessions.ts';
import { ContextReader } from '../src/engine/actions/judging/evaluation-context.ts';
import { tellsParty } from '../src/engine/actions/judging/parties.ts';
import { unnamedDestinations } from '../src/engine/actions/calls/destinations.ts';
import { recordLeaves } from '../src/engine/actions/judging/records.ts';
const reader = new ContextReader(await loadTextEngine());
const [id, tool] = process.argv.slice(2);
for (const { sessions } of readSessions()) for (const s of sessions) if (s.id === id) s.steps.forEach((st, at) => { if (st.toolName === tool) {
  const c = reader.read(s.steps.slice(0, at + 1), {})!;
  console.log([...c.call.senses], [...c.call.effects], tellsParty(c), unnamedDestinations(c), c.request.ids, [...c.request.senses], c.request.isUnread, c.request.delegation, c.followed()?.score, recordLeaves(c).slice(0,8), c.earlier.map(e=>[e.toolName,[...e.effects].join('+')].join(':')));
}});
