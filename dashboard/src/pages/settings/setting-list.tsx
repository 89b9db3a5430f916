import type { Setting } from '../../api/deployment.ts';
import { Badge } from '../../parts/badge.tsx';

const shown = (value: Setting['value']) =>
  value === null ? 'not set' : Array.isArray(value) ? value.join(', ') || 'none' : String(value);

/** Settings with their values, descriptions, and where to change them. */
export const SettingList = ({ settings }: { settings: readonly Setting[] }) => (
  <dl className="divide-y divide-line">
    {settings.map(({ path, variable, value, is_set: isSet, doc }) => (
      <div key={path} className="grid gap-x-6 gap-y-1 py-3 first:pt-0 last:pb-0 sm:grid-cols-[1fr_auto]">
        <dt className="min-w-0">
          <span className="block text-sm">{doc}</span>
          <span className="mt-1 flex flex-wrap gap-x-3 font-mono text-xs text-ink-soft">
            <code className="break-all">{path}</code>
            <code className="break-all">{variable}</code>
          </span>
        </dt>
        <dd className="flex items-start gap-2 sm:justify-end">
          <span className="font-mono text-[13px] break-all">{shown(value)}</span>
          {isSet && <Badge tone="accent">changed</Badge>}
        </dd>
      </div>
    ))}
  </dl>
);
