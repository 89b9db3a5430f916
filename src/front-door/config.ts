import { optionalUrl } from '#base/config/setting.ts';

export const dashboardSections = {
  dashboard: {
    publicUrl: optionalUrl(
      ['https', 'http'],
      'Where people reach the dashboard, when that is behind a proxy: its pages are then of this address; with https its cookie is marked Secure.',
    ),
  },
} as const;
