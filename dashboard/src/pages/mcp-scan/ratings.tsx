import type { Scan } from '../../api/mcp-scan.ts';
import { LevelBadge } from './badges.tsx';

const parts = [
  { key: 'security', name: 'Security', note: 'how dangerous what was found is' },
  { key: 'complexity', name: 'Complexity', note: 'how much there is to go wrong' },
  { key: 'sensitivity', name: 'Sensitivity', note: 'how much harm its tools can do' },
] as const;

/** The three ratings, each with its reason. For all of them high means more concern. */
export const Ratings = ({ scan }: { scan: Scan }) => (
  <dl className="mb-6 grid gap-4 lg:grid-cols-3">
    {parts.map(({ key, name, note }) => (
      <div key={key} className="min-w-0 rounded-xl border border-line bg-panel p-5 shadow-panel">
        <dt>
          <span className="font-medium">{name}</span>
          <span className="block text-[13px] text-ink-soft">{note}</span>
        </dt>
        <dd className="mt-2 text-sm">
          <LevelBadge level={scan[key]} />
          <span className="mt-2 block break-words">{scan[`${key}_reasoning`]}</span>
        </dd>
      </div>
    ))}
  </dl>
);
