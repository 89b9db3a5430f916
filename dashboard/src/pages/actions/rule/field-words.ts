/** What people read in the place of the names of fields, and of the values that can be chosen. */

type Words = Readonly<Record<string, string>>;

const bounds = { over: 'More than', atleast: 'At least', under: 'Less than', atmost: 'At most' };
const comparison = { path: 'Name of the field', operator: 'Has to', value: 'Compared with' };
const ofAnswers = {
  tools: 'Tools that answered (* stands for any characters)',
  same: 'About the same, by the argument',
};
const insideText = { what: 'What is looked for in it', after: 'Behind the words' };
const acts = 'What is done';
const per = 'For the same';
const window = 'Over this time';

/** By the kind of test, and by the field. */
const labels: Readonly<Record<string, Words>> = {
  action: {
    acts,
    verbs: 'Or what it is called',
    alike: 'Also whatever has the same effect',
  },
  amount: {
    ...bounds,
    total: 'Together with the calls before it',
    currency: 'Currency, in three letters such as EUR',
  },
  answer: { ...comparison, ...ofAnswers },
  answer_text: { ...comparison, ...ofAnswers, ...insideText },
  approval: {
    by: 'By somebody with one of these roles',
    from: 'How it is known',
    explicit: 'Only in answer to a proposal',
    other: 'By another person than the one who asks',
  },
  argument: { ...comparison, path: 'Name of the argument' },
  count: { over: 'More than', of: 'Of what' },
  data: { kinds: 'Kinds of data', held: 'Only the data itself, not a name for it' },
  dates: { first: 'First day', last: 'Last day', where: 'The call is made' },
  destination: { where: 'It goes', places: 'Domains, addresses or accounts' },
  done_again: { states: 'Or a tool says that it is already' },
  earlier_call: {
    ...comparison,
    tools: 'Tools (* stands for any characters)',
    times: 'At least so often',
    same: 'About the same, by the argument',
    path: 'Name of a field of it or of its answer',
  },
  earlier_step: {
    acts,
    things: 'What it was done to',
    most: 'Most of the words have to be met',
    said: 'It counts where the agent only said so',
    done: 'It has to have come to its end',
  },
  effect: { effects: 'What it does to the world' },
  field: { ...comparison, names: 'Names of the field' },
  file_kind: { endings: 'Endings of the names' },
  looked_up: { words: 'What was looked up' },
  mentioned: { words: 'Words' },
  more_than_named: { words: 'Name of the other quantity' },
  named_argument: { words: 'Names of the argument' },
  nothing_of: { words: 'Name of what is nought, empty or false' },
  other_than: { slot: 'Names of the value', things: 'It is none of these' },
  path: {
    where: 'The files lie',
    prefixes: 'Folders and files',
    effect: 'Only files that it',
  },
  quantity: { ...bounds, of: 'Names of the quantity', relative: 'In percent of what it was' },
  records: {
    reach: 'It touches',
    of: 'Tables, columns or paths',
    effect: 'Only what it',
  },
  repeat: { over: 'More often than', acts, per, words: 'Words by which a tool says how often', window },
  resource: {
    things: 'What it concerns',
    party: 'An id of it among the arguments is enough',
    source: 'Not only as where something goes to',
  },
  role: { roles: 'Roles', said: 'Go by what the user says where no roles are told' },
  signal: { signals: 'Warning signs' },
  spoken_tool: { where: 'The name is', names: 'Names of tools or things' },
  state: { states: 'States', strict: 'Where nothing is said of it, it is not so' },
  sum: {
    of: 'Names of the arguments that are added up (none: the money)',
    acts,
    per,
    window,
    operator: 'The sum is',
    value: 'Limit',
  },
  text: { texts: 'Characters' },
  time: {
    days: 'On these days',
    from: 'From, in minutes after midnight (540 is 9:00)',
    to: 'To, in minutes after midnight (1020 is 17:00)',
    weekly: 'Counted from the beginning of Sunday',
    outside: 'Outside of this time',
  },
  tool: { names: 'Tools (* stands for any characters)', servers: 'Servers that offer them' },
  total: {
    of: 'Names of the values that are added up',
    operator: 'The total is',
    value: 'Limit',
    with_earlier: 'Together with earlier calls of the tool',
    same: 'Of these only calls with the same',
  },
  user_asked: { about: 'What they have to have spoken of', named: 'And named what it is done to' },
  user: { ...comparison, path: 'What is known of the user, by its name' },
  user_said: { words: 'Words' },
  within_text: { ...comparison, ...insideText, path: 'Argument whose text is looked into' },
};

const operators: Words = {
  exists: 'be there',
  empty: 'be empty or missing',
  is: 'be',
  is_not: 'not be',
  in: 'be one of',
  not_in: 'be none of',
  like: 'be like',
  not_like: 'not be like',
  contains: 'contain',
  stands_in: 'stand in',
  over: 'be more than',
  at_least: 'be at least',
  under: 'be less than',
  at_most: 'be at most',
  longer: 'have more characters than',
  shorter: 'have fewer characters than',
  more_words: 'have more words than',
  fewer_words: 'have fewer words than',
  before: 'be before',
  after: 'be after',
  in_network: 'lie in the network',
  beyond_network: 'reach beyond the network',
  covers_network: 'take in the network',
};

const sums: Words = {
  over: 'more than',
  at_least: 'at least',
  under: 'less than',
  at_most: 'at most',
  is: 'exactly',
  is_not: 'not',
};

/** By the field, or by the kind of test and the field. */
const choices: Readonly<Record<string, Words>> = {
  operator: operators,
  'sum.operator': sums,
  'total.operator': sums,
  'approval.from': {
    checked: 'somebody whose identity was checked approved it here',
    user_words: 'the conversation says so',
  },
  'destination.where': {
    outside: 'outside of the own domains',
    in: 'to one of these',
    not_in: 'elsewhere than to these',
  },
  'dates.where': { within: 'within these days', outside: 'outside of these days' },
  'path.where': { under: 'in one of these', outside: 'outside of these' },
  'records.reach': { among: 'one of these', beyond: 'something else than these' },
  'spoken_tool.where': { in: 'one of these', not_in: 'none of these' },
  effect: { read: 'reads', write: 'changes' },
  effects: { egress: 'sends something out' },
  window: {
    session: 'the session',
    hour: 'an hour',
    day: 'a day',
    week: 'a week',
    month: 'a month',
    year: 'a year',
  },
};

/** "on_missing" → "on missing". */
const plainName = (name: string): string => name.replaceAll('_', ' ');

export const hasLabel = (is: string, field: string): boolean => labels[is]?.[field] !== undefined;

/** What a field of a kind of test is called. */
export const labelOfField = (is: string, field: string): string => labels[is]?.[field] ?? plainName(field);

/** What a value that can be chosen is called. */
export const labelOfChoice = (is: string, field: string, choice: string): string =>
  choices[`${is}.${field}`]?.[choice] ?? choices[field]?.[choice] ?? plainName(choice);

/** The service's message about a test, with the names of its fields as they are shown. */
export function plainProblem(is: string, message: string): string {
  const plain = message
    .replace(/^In 'rule\.[^']*' /, '')
    .replaceAll(/'(?:rule\.[\w.[\]]+\.)?([a-z_]+)(?:\[\d+\])*'/g, (whole, field: string) =>
      hasLabel(is, field) ? `“${labelOfField(is, field)}”` : whole,
    )
    .replaceAll(/`([^`]*)`/g, '“$1”');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
