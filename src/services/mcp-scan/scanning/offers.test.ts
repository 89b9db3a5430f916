/** Tools are counted as tools, and what else a server offers under its own name; a rating says why it is not higher. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Observation } from '#findings/finding.ts';
import { assemble, type Parts } from './assemble.ts';
import { hashesOf } from './hashes.ts';
import { countOffers } from './offers.ts';
import type { ScannedTool } from './result.ts';
import { rate } from '../scans/rate.ts';

const offerOf = (kind: ScannedTool['kind'], name: string): ScannedTool => {
  const tool = { kind, name, description: 'Says hello.' };
  return { ...tool, hashes: hashesOf(tool) };
};
const verdictOn = (name: string, flagged: boolean, kind?: ScannedTool['kind']) => ({
  toolName: name,
  kind,
  flagged,
  categories: [],
  categoryScores: {},
  explanation: {},
  model: 'm',
  description: '',
});
const now = new Date(0);
const partsOf = (parts: Partial<Parts>): Parts => ({
  observations: [],
  tools: [],
  textguard: [],
  packages: [],
  depsChecked: 'none',
  serverName: 's',
  now,
  ...parts,
});

describe('what a scan counts', () => {
  const tools = [
    offerOf('tool', 'a'),
    offerOf('tool', 'b'),
    offerOf('prompt', 'a'),
    offerOf('resource', 'r'),
    offerOf('instructions', 'instructions'),
  ];

  it('are tools apart from prompts, resources and instructions', () => {
    const textguard = [
      verdictOn('a', false, 'tool'),
      verdictOn('b', true, 'tool'),
      verdictOn('a', true, 'prompt'),
      verdictOn('r', false, 'resource'),
      verdictOn('instructions', true, 'instructions'),
      // A second tool of the same name is one more.
      verdictOn('b', false, 'tool'),
    ];
    const result = assemble(partsOf({ tools, textguard }));
    const { flaggedCount, toolCount } = rate(result, [], now);
    assert.deepEqual([flaggedCount, toolCount], [1, 3]);
    assert.match(
      result.summary,
      /2 tools seen, 1 flagged; 1 prompt, 1 flagged; 1 resource, 0 flagged; instructions flagged\./,
    );
  });

  it('are told apart in results of earlier versions too, by their order', () => {
    const textguard = tools.map(({ name }, at) => verdictOn(name, at === 2));
    const { tool, prompt } = countOffers({ tools, textguard });
    assert.deepEqual(
      [tool, prompt],
      [
        { total: 2, flagged: 0 },
        { total: 1, flagged: 1 },
      ],
    );
  });

  it('is a rating that says why a finding of high severity gives no high level', () => {
    const observation: Observation = {
      rule: 'E001',
      title: 'A description gives orders to the agent',
      description: '',
      severity: 'high',
      confidence: 'medium',
      subject: 'a',
      tags: [],
      frameworks: [],
    };
    const of = (one: Observation) => assemble(partsOf({ tools, observations: [one] })).ratings.security;
    const middling = of(observation);
    assert.equal(middling.level, 'medium');
    assert.match(middling.reasoning, /One is of high severity, but not of high confidence/);
    assert.equal(of({ ...observation, confidence: 'high' }).level, 'high');
    assert.doesNotMatch(of({ ...observation, severity: 'medium' }).reasoning, /high severity/);
  });
});
