import type { RedactOptions } from '#engine/redact/redact.ts';
import type { Strictness } from '#engine/text/types.ts';
import type { Visibility } from '#identity/sharing.ts';
import type { EngineChoice, FailMode } from './engines.ts';

/** A guard's overrides of the defaults of an attached group. */
export interface GroupOverride {
  readonly threshold?: number | undefined;
  readonly strictnessLevel?: Strictness | undefined;
}

export interface GuardSettings {
  /** Code points; null: no limit. */
  readonly maxTextLength: number | null;
  /** Null: the deployment's default. */
  readonly cacheEnabled: boolean | null;
  readonly logRequests: boolean | null;
  readonly overflow: 'truncate' | 'throw';
  /** `observe`: verdicts are only logged, not disclosed to the caller. */
  readonly mode: 'enforce' | 'observe';
  /** What the query log stores of a text. */
  readonly logText: 'full' | 'hash';
  /** Null: the deployment's default. */
  readonly engine: EngineChoice | null;
  readonly failMode: FailMode | null;
  /** What is redacted from judged texts; null: nothing. */
  readonly redact: RedactOptions | null;
}

/** What the maker of a guard decides. */
export interface GuardContent {
  readonly name: string;
  readonly description: string | null;
  readonly policyGroupUuids: readonly string[];
  readonly policyGroupOverrides: Readonly<Record<string, GroupOverride>>;
  readonly enabled: boolean;
  readonly visibility: Visibility;
  readonly settings: GuardSettings;
}

export interface Guard extends GuardContent {
  readonly guardUuid: string;
  readonly tenantId: string;
  readonly ownerId: string;
  /** Rises with each write; part of the key of cached verdicts. */
  readonly version: number;
  /** What the guard has learned from examples and judges by; null: the policies as they are. */
  readonly activeAdaptationId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Whether a guard found something in a text, and whether that is disclosed to the caller. */
export type Outcome = 'passed' | 'flagged' | 'observed' | 'allowed';
