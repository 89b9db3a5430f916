import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CalleeIndex } from './callee-index.ts';
import { ruleSchema, type Sink, type TaintRule } from './rule.ts';

export interface SinkOf {
  sink: Sink;
  rule: TaintRule;
  bit: number;
  receiver?: RegExp;
  after?: RegExp;
}

/** The rules, ready to be asked. */
export interface RuleSet {
  rules: readonly TaintRule[];
  /** Of all rules' files: results under another one are out of date. */
  hash: string;
  sinks: CalleeIndex<SinkOf>;
  /** Bits that a call clears. */
  sanitizers: CalleeIndex<number>;
  /** The bit of a taint rule by its id; 0 for one that is not there. */
  bitOf: (id: string) => number;
}

/** Bit 0 says that a path was normalised; see taint/checks.ts. */
const firstBit = 1;

function addTaintRule(set: RuleSet, rule: TaintRule): void {
  const bit = set.bitOf(rule.id);
  for (const sink of rule.sinks)
    set.sinks.add(sink.callee, {
      sink,
      rule,
      bit,
      ...(sink.receiver === undefined ? {} : { receiver: new RegExp(sink.receiver, 'i') }),
      ...(sink.after === undefined ? {} : { after: new RegExp(sink.after) }),
    });
  for (const { callee } of rule.sanitizers) set.sanitizers.add(callee, bit);
}

/** Makes a set of rules ready; the hash is of the texts that they came from. */
function ruleSetOf(rules: readonly TaintRule[], hash: string): RuleSet {
  if (rules.length + firstBit > 30)
    throw new Error('more than 29 taint rules: their bits do not fit a number');
  const bits = new Map(rules.map(({ id }, at) => [id, 1 << (at + firstBit)]));
  const set: RuleSet = {
    rules,
    hash,
    sinks: new CalleeIndex(),
    sanitizers: new CalleeIndex(),
    bitOf: (id) => bits.get(id) ?? 0,
  };
  for (const rule of rules) addTaintRule(set, rule);
  return set;
}

const folder = join(import.meta.dirname, '../../../../data/mcp-scan/rules');
let loaded: RuleSet | undefined;

/** The shipped rules, read once. */
export function loadRuleSet(): RuleSet {
  if (loaded !== undefined) return loaded;
  const hash = createHash('sha256');
  const rules = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      hash.update(`${name}\0${text}\0`);
      const read = ruleSchema.safeParse(parse(text));
      if (!read.success) throw new Error(`data/mcp-scan/rules/${name}: ${read.error.message}`);
      return read.data;
    });
  loaded = ruleSetOf(rules, hash.digest('hex'));
  return loaded;
}
