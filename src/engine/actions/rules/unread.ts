import { isStopWord } from '#engine/text/stems.ts';
import type { Condition, RuleClause } from '../clauses.ts';
import { implied } from './rule-action.ts';
import { namesClass } from '../calls/sensitive.ts';
import { isEmptyWord, sameThings } from '../things.ts';
import { areKin, nounSenses, verbSenses } from '../verbs.ts';
import { root, textWords } from '../words.ts';

/** Words by which a rule commands, says for whom it is, or stresses what it says. */
const commanding = new Set(
  `never must only not no nothing nobody unless except without forbidden prohibited banned disallowed violation mandatory
  required require requires always limit limits limited maximum max minimum min exceed exceeds more less than over under
  above below least most fewer rule policy please kindly hands okay ok fine allowed permitted acceptable may agent agents
  assistant assistants bot bots user users customer customers staff we you want happen happens need needs needed
  first before after until while during whenever case cases long still yet already instead rather anyone anybody person
  people whoever matter reason reasons exception exceptions circumstances ever absolutely strictly stays stay keep kept
  goes go make makes made do does done get gets got put take takes be come comes let lets ask asks asking tell tells
  told say says said belongs belong things thing stuff own ours yours mine whole every each per single given about
  around also even really actually simply just via through using use used within inside outside anywhere elsewhere`
    .split(/\s+/)
    .map(root),
);
const consent = new Set(
  'approve approval confirm confirmation consent permission authorize authorise authorization sign signoff ok okay yes agree agreement manager written explicit prior review'
    .split(' ')
    .map(root),
);
const times =
  /^(?:mon|tues?|wednes|thurs?|fri|satur|sun)day?s?$|^(?:weekends?|weekdays?|hours?|night|nights|evening|morning|am|pm|noon|midnight|office|business|working|day|days|week|weeks|month|months|minutes?|today|daily|weekly)$/;
const quantities =
  /^(?:usd|eur|euros?|dollars?|pounds?|gbp|percent|k|hundred|thousand|million|one|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|amounts?|total|totals?|combined|once|twice|times)$/;

const places =
  /^(?:compan(?:y|ies)|organi[sz]ations?|domains?|external|third|part(?:y|ies)|partners?|address(?:es)?)$/;

const inner = (clauses: readonly RuleClause[]): Condition[] =>
  clauses
    .flatMap(({ when, unless, need }) => [...when, ...unless.flat(), ...need])
    .flatMap((one) => (one.test === 'any' ? [one, ...one.of.flat()] : [one]));

/** Words of a rule that none of its tests stands for, in order. */
export function unreadWords(description: string, clauses: readonly RuleClause[]): string[] {
  const conditions = inner(clauses);
  // Facts of a trace are read from whole phrases: which words of them count cannot be told.
  if (conditions.some(({ test }) => test === 'fact')) return [];
  const isRead = readerOf(conditions);
  return [
    ...new Set(
      textWords(description.replaceAll('’', "'"))
        .map((word) => word.replace(/'s$/, ''))
        .filter((word) => isTelling(word) && !isRead(word)),
    ),
  ];
}

const isTelling = (word: string): boolean =>
  word.length > 2 &&
  !/\d|n't$/.test(word) &&
  !isStopWord(word) &&
  !isEmptyWord(word) &&
  !commanding.has(root(word));

function readerOf(conditions: readonly Condition[]): (word: string) => boolean {
  const heldBy = new Set(textWords(JSON.stringify(conditions).replaceAll('_', ' ')).map(root));
  const senses = conditions.flatMap((one) =>
    one.test === 'verb' || one.test === 'earlier' || one.test === 'repeat' ? one.senses : [],
  );
  for (const sense of senses) for (const word of (implied[sense] ?? '').split(' ')) heldBy.add(root(word));
  const classes = conditions.flatMap((one) => (one.test === 'data' ? one.classes : []));
  const has = (...tests: Condition['test'][]) => conditions.some(({ test }) => tests.includes(test));
  const isMeasured = has('amount', 'amount_under', 'number', 'count', 'repeat');
  const isTimed = isMeasured || has('time');
  const others: readonly ((word: string) => boolean)[] = [
    (word) => [...sameThings(word)].some((same) => heldBy.has(same)),
    (word) =>
      [...verbSenses(word), ...nounSenses(word)].some((sense) => senses.some((own) => areKin(own, sense))),
    (word) => classes.some((name) => namesClass(word, name)),
    (word) => has('approved') && consent.has(root(word)),
    (word) => has('destination') && places.test(word),
    (word) => isTimed && times.test(word),
    (word) => isMeasured && quantities.test(word),
  ];
  return (word) => heldBy.has(root(word)) || others.some((reads) => reads(word));
}
