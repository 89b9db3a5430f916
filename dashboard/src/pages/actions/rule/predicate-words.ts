/** What people read in the place of the names of predicates. */

interface Words {
  readonly name: string;
  readonly meaning: string;
}

const words: Readonly<Record<string, Words>> = {
  action: {
    name: 'what is done',
    meaning: 'The call does one of these things, whatever its tool is called.',
  },
  amount: { name: 'amount of money', meaning: 'The money of the call lies within these bounds.' },
  answer: {
    name: 'field of an earlier answer',
    meaning: 'A field in the answer of an earlier step compares so; the latest answer that has it counts.',
  },
  answer_text: {
    name: 'text of an earlier answer',
    meaning: 'A number, date or word in the text of an earlier answer compares so.',
  },
  approval: {
    name: 'approval',
    meaning: 'Somebody said yes to it: a person whose identity was checked, or the user in the conversation.',
  },
  argument: { name: 'argument', meaning: 'A value of the call, at this path, compares so.' },
  changes: { name: 'changes anything', meaning: 'The call does more than look something up.' },
  count: { name: 'number of things', meaning: 'How many things this one call concerns.' },
  data: { name: 'kind of data', meaning: 'The call carries or names data of these kinds.' },
  dates: { name: 'day of the calendar', meaning: 'The call is made in this span of the calendar.' },
  destination: { name: 'destination', meaning: 'Where the call goes: recipients, hosts, accounts.' },
  done_again: { name: 'done before', meaning: 'The same was done to the same thing before.' },
  earlier_call: { name: 'earlier call', meaning: 'One of these tools was called before.' },
  earlier_step: { name: 'earlier step', meaning: 'A step before this one did that.' },
  effect: { name: 'effect', meaning: 'What the call does to the world, whatever it is called.' },
  field: {
    name: 'field of the thing',
    meaning: 'A field of what the call is about compares so, in the call or in the latest answer about it.',
  },
  file_kind: { name: 'kind of file', meaning: 'The call touches files with these endings.' },
  looked_up: {
    name: 'looked up before',
    meaning: 'A value of the call stands in the answer of a step that looked these up.',
  },
  mentioned: {
    name: 'mentioned',
    meaning: 'These words are met in the call, in an earlier answer or in what the user says.',
  },
  more_than_named: {
    name: 'more than another quantity',
    meaning: 'A quantity of the call is more than the one that is named so.',
  },
  named_argument: {
    name: 'given at all',
    meaning: 'There is an argument for this: a reason, a ticket number.',
  },
  nothing_of: { name: 'nothing of it', meaning: 'What is named so is nought, empty or false.' },
  other_than: {
    name: 'other than',
    meaning: 'A value that is named for one of these is none of those things.',
  },
  own_work: { name: 'its own work', meaning: 'The agent made it itself in an earlier step.' },
  path: { name: 'files and folders', meaning: 'The call touches, reads or writes files at these paths.' },
  quantity: { name: 'quantity', meaning: 'A quantity that is named so lies within these bounds.' },
  records: { name: 'records', meaning: 'The call reads or changes records: tables, columns, paths.' },
  repeat: { name: 'how often', meaning: 'It is done more often than that, over this span of time.' },
  resource: { name: 'what it concerns', meaning: 'The call concerns one of these things.' },
  role: { name: 'role of the user', meaning: 'The user whom the agent acts for has one of these roles.' },
  signal: {
    name: 'warning sign',
    meaning: 'What the conversation itself shows: an injection, a disguised command, a tunnel.',
  },
  spoken_tool: {
    name: 'tool or thing by name',
    meaning: 'The tool is called so, or a value of the call names it.',
  },
  state: {
    name: 'state of the thing',
    meaning: 'What the call or an earlier answer says of the thing: closed, confirmed.',
  },
  sum: {
    name: 'sum over time',
    meaning: 'What calls add up to over all conversations is more than a limit.',
  },
  text: { name: 'text in an argument', meaning: 'These characters stand in an argument.' },
  time: { name: 'time', meaning: 'When the call is made, or what it plans is to be.' },
  told: { name: 'told the user', meaning: 'The agent told the user, or showed it, before.' },
  tool: { name: 'tool', meaning: 'The call is of one of these tools; * stands for any characters.' },
  total: {
    name: 'values added up',
    meaning: 'Values of the call, or of what is known of its thing, added up.',
  },
  user: { name: 'what is known of the user', meaning: 'Something that is known of the user compares so.' },
  user_asked: {
    name: 'the user asked for it',
    meaning: 'The user asked for it in their own words, and named what it is done to where that is chosen.',
  },
  user_said: { name: 'the user speaks of it', meaning: 'The user speaks of one of these.' },
  within_text: {
    name: 'inside a text',
    meaning:
      'A number, date or word inside a text of the call compares so: in a command, a statement, a message.',
  },
};

/** The name of a kind of test, and what it asks in a sentence; a kind without words here has its own name. */
export const wordsOfKind = (is: string): Words => words[is] ?? { name: is.replaceAll('_', ' '), meaning: '' };
