import { loadTextEngine } from '#engine/text/engine.ts';
import { readRuleFile } from '../../../test/fixtures/action-rules/read-written.ts';
import { SceneReader } from '../actions/judging/scene.ts';
import { readCanonical } from './canonical.ts';
import { breaksForm } from './matching/match-form.ts';
const reader = new SceneReader(await loadTextEngine());
const one = readRuleFile('unseen-2.jsonl')[96]!;
for (const f of [
  'Deny when it is about something with the field "travel_warning" that is true.',
  'Deny when it is the tool "book*".',
])
  for (const s of one.breaks) {
    const scene = reader.read(s, { now: one.breaksAt, ownDomains: [] })!;
    console.log(JSON.stringify(s), scene.call.leaves, breaksForm({ scene }, readCanonical(f)!));
  }
