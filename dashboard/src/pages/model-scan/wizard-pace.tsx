import { TextField } from '../../parts/field.tsx';
import { count } from '../../parts/numbers.ts';
import { Panel } from '../../parts/page.tsx';
import { SharingChoice } from '../../parts/sharing.tsx';
import { duration } from './duration.ts';
import { numberOr, type ScanDraft } from './scan-draft.ts';
import type { Offer } from './wizard-cases.tsx';

/** Cases of each data set that an attack is tried on, unless the operator has changed it. */
const attackCases = 10;
const sandboxCases = 24;

/** So many requests at most, if every attack needs all its attempts. */
function mostRequests({ isSandbox, dataSets, algorithms }: ScanDraft, offer: Offer | undefined): number {
  if (isSandbox) return sandboxCases;
  const sets = [...(offer?.datasets ?? []), ...(offer?.own ?? [])].filter(({ name }) =>
    dataSets.includes(name),
  );
  const own = sets.reduce((sum, { cases }) => sum + cases, 0);
  const attempts = (offer?.algorithms ?? [])
    .filter(({ name }) => algorithms.includes(name))
    .reduce((sum, each) => sum + each.attempts, 0);
  return own + sets.length * attackCases * attempts;
}

/** How fast, under which name, and who sees it. */
export function PaceStep({
  draft,
  change,
  offer,
}: {
  draft: ScanDraft;
  change: (part: Partial<ScanDraft>) => void;
  offer: Offer | undefined;
}) {
  const requests = mostRequests(draft, offer);
  const qpm = numberOr(draft.qpm, undefined);
  return (
    <Panel
      title="Pace and name"
      note={
        `About ${count(requests)} requests at most` +
        (qpm === undefined || qpm < 1 ? '.' : `, which takes at least ${duration((requests / qpm) * 60)}.`)
      }
    >
      <div className="grid gap-4 sm:grid-cols-3">
        <div className="sm:col-span-3">
          <TextField
            label="Name"
            value={draft.scanName}
            maxLength={200}
            hint="No other scan of your tenant may have it."
            onChange={({ target }) => change({ scanName: target.value })}
            required
          />
        </div>
        {!draft.isSandbox && (
          <>
            <TextField
              label="Requests at a time"
              type="number"
              min={1}
              value={draft.concurrency}
              onChange={({ target }) => change({ concurrency: target.value })}
            />
            <TextField
              label="Requests per minute"
              type="number"
              min={1}
              placeholder="no limit"
              value={draft.qpm}
              onChange={({ target }) => change({ qpm: target.value })}
            />
            <TextField
              label="Seed"
              type="number"
              min={0}
              hint="Equal seeds make scans comparable."
              value={draft.seed}
              onChange={({ target }) => change({ seed: target.value })}
            />
          </>
        )}
        <div className="sm:col-span-3">
          <SharingChoice
            kind="scan"
            value={draft.visibility}
            onChange={(visibility) => change({ visibility })}
          />
        </div>
      </div>
    </Panel>
  );
}
