/** What a call does to the world. */
export type Effect = 'read' | 'write' | 'delete' | 'egress' | 'execute' | 'pay' | 'grant' | 'authenticate';

/** Kinds of data that a rule can name and an argument can carry. */
export type DataClass =
  | 'secret'
  | 'personal'
  | 'contact'
  | 'health'
  | 'card'
  | 'bank'
  | 'source_code'
  | 'customer'
  | 'confidential';

/** What the trace itself says about a call. */
export type FactName =
  | 'follows_embedded_instruction'
  | 'off_task'
  | 'unnamed_destination'
  | 'tainted_destination'
  | 'tool_output_leaves'
  | 'destructive_command'
  | 'wipes_disk'
  | 'threatens'
  | 'destroys_service'
  | 'downloads_and_runs'
  | 'obfuscated_command'
  | 'privileged_command'
  | 'sql_without_condition'
  | 'sql_schema_change'
  | 'internal_host'
  | 'plain_http'
  | 'tunnel_host'
  | 'system_path'
  | 'hidden_text'
  | 'disables_protection'
  | 'reverse_shell'
  | 'scans_or_mines'
  | 'skips_checks'
  | 'erases_traces'
  | 'stacked_statements'
  | 'injected_sql'
  | 'encoded_payload'
  | 'plants_orders'
  | 'may_be_led'
  | 'tells_the_party';

/** One test of a compiled rule. All of it is plain JSON, so that it can be stored and shown. */
export type Condition =
  /** The call does one of these things: `send`, `refund`, `delete`, …; `words`: roots of the rule's own verbs, `said` the verbs. */
  | { test: 'verb'; senses: string[]; words?: string[]; said?: string[] }
  | { test: 'effect'; effects: Effect[] }
  /** Does more than look something up. */
  | { test: 'acts' }
  /** These words are met in the call, in an earlier answer or in what the user says. */
  | { test: 'mentioned'; words: string[] }
  /** The call concerns one of these things; every word of one phrase must be met, `hard` ones literally. `party`: an id of it is enough. */
  | {
      test: 'about';
      phrases: { words: string[]; hard: string[]; wantsAll?: boolean }[];
      party?: boolean;
      /** Not where it goes to: it comes from there. */
      source?: boolean;
    }
  /** `held`: by its shape, and not only by a name for it. */
  | { test: 'data'; classes: DataClass[]; held?: boolean }
  | { test: 'fact'; facts: FactName[] }
  | { test: 'amount'; over: number; inclusive: boolean; total: boolean }
  | { test: 'amount_under'; under: number }
  | { test: 'count'; over: number; of: string[] }
  /** Done more often than that, `per` one of these where such are named; `words`: roots by which a count of it is named. */
  | { test: 'repeat'; over: number; senses: string[]; per?: string[]; words?: string[] }
  /** A quantity named for one of these words is more than `over`, less than `under`. */
  | {
      test: 'number';
      of: string[];
      over?: number;
      under?: number;
      /** By how many percent a value of the call differs from what it was. */
      relative?: boolean;
    }
  /** The quantity of the call is more than the one that is named so: in an earlier answer or in the call. */
  | { test: 'exceeds'; of: string[] }
  /** What is named so is nought, empty or false, as far as the call or an earlier answer says. */
  | { test: 'lacks'; words: string[] }
  /** A value named for `slot` is none of these; where no value is so named, nothing in the call speaks of them. */
  | { test: 'differs'; slot: string[]; phrases: { words: string[]; hard: string[]; wantsAll?: boolean }[] }
  /** The same was done to the same thing before, or a tool said that it is already so. */
  | { test: 'again'; states: string[] }
  /** The agent made it itself in an earlier step. */
  | { test: 'own' }
  /** A value of the call stands in the answer of a step that looked these up. */
  | { test: 'listed'; words: string[] }
  /** What the call or a tool output before it says of the thing: `closed`, `confirmed`. Where nothing is said, it holds, unless `strict`. */
  | { test: 'state'; states: string[]; strict?: boolean }
  /** Recipients, hosts and accounts; `outside` = not one of the caller's own domains. */
  | { test: 'destination'; where: 'outside' | 'in' | 'not_in'; domains: string[] }
  /** `week`: from and to, in minutes since the beginning of Sunday; may go over the end of the week. */
  | {
      test: 'time';
      days: number[];
      fromMinute: number;
      toMinute: number;
      outside: boolean;
      week?: [from: number, to: number];
    }
  | { test: 'path'; where: 'under' | 'outside'; prefixes: string[] }
  | { test: 'extension'; extensions: string[] }
  | { test: 'tool'; names: string[]; where: 'in' | 'not_in' }
  /** Somebody said yes: the user in a turn (`explicit`: in answer to a proposal), or an approval on record in the trace. */
  | { test: 'approved'; by: string[]; explicit: boolean }
  /** These characters stand in an argument: a flag, a scheme. */
  | { test: 'literal'; texts: string[] }
  /** The user's own words ask for it; what only reads `about` something must be spoken of. */
  | { test: 'user_asked'; about: string[] }
  /** The user speaks of these things. */
  | { test: 'user_said'; words: string[] }
  /** The agent told the user, or previewed it, before. */
  | { test: 'told' }
  /** A step before this one did that. */
  | {
      test: 'earlier';
      wantsMost?: boolean;
      /** The agent may have said it as well. */
      said?: boolean;
      /** It has to have come to its end. */
      done?: boolean;
      senses: string[];
      phrases: { words: string[]; hard: string[]; wantsAll?: boolean }[];
    }
  /** One of these lists holds as a whole. */
  | { test: 'any'; of: Condition[][] }
  /** An argument is there (or says so): a reason, a ticket number, `dry_run`, … */
  | { test: 'argument'; words: string[] };

/** Broken when every `when` holds, no list in `unless` holds as a whole, and not all of `need` holds. */
export interface RuleClause {
  when: Condition[];
  unless: Condition[][];
  need: Condition[];
  /** What is missing is somebody's yes. */
  asks: boolean;
  /** How well the sentence was understood, 0..1. */
  confidence: number;
}
