import type { Handlers } from '#base/http/mount.ts';
import type { Logger } from '#base/log/log.ts';
import type { Caller } from '#identity/caller.ts';
import type { extractionOperations } from '../../contract/extraction.ts';
import type { Extract } from './extraction.ts';
import { progressEvents } from './progress-events.ts';
import { viewDraft } from './view.ts';

const nameOf = (file: File) => file.name.split(/[\\/]/).at(-1) ?? '';

export const extractionHandlers = (
  extract: Extract,
  log: Logger,
): Handlers<typeof extractionOperations, Caller> => ({
  async extractPolicies({ caller, body: { file } }) {
    return viewDraft(caller, await extract(nameOf(file), await file.bytes()));
  },
  async extractPoliciesStream({ caller, body: { file } }) {
    const bytes = await file.bytes();
    return progressEvents(
      async (onProgress) => viewDraft(caller, await extract(nameOf(file), bytes, onProgress)),
      log,
    );
  },
});
