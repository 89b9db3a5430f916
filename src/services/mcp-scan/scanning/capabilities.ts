/** What to do about a tool that is there for what is found: the remedy of an oversight is none for it. */
import type { Observation } from '#findings/finding.ts';

const remedies: Readonly<Record<string, string>> = {
  'sql-injection':
    'The tool is there to run SQL, so that parameters do not help. Give its account of the database only the rights that the agent needs (a connection that only reads, single tables or views), limit rows and time, and have statements that change something approved.',
  'command-injection':
    'The tool is there to run commands, so that lists of arguments do not help. Run them in a sandbox without secrets of the machine and with the network that they need, and have each command approved, or allow programs from a fixed list.',
  'code-execution':
    'The tool is there to run code. Run it in a sandbox without secrets of the machine and with the network that it needs, with limits on time and memory, and have it approved.',
};

/** With the remedy for a capability, where an observation is of one. */
export const withOwnRemedy = (observation: Observation): Observation => {
  const remedy = observation.tags.includes('capability') ? remedies[observation.rule] : undefined;
  return remedy === undefined ? observation : { ...observation, remedy };
};
