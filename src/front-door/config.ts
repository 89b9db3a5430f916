import { optionalText, optionalUrl } from '#base/config/setting.ts';

export const dashboardSections = {
  dashboard: {
    publicUrl: optionalUrl(
      ['https', 'http'],
      'Where people reach the dashboard, when that is behind a proxy: its pages are then of this address; with https its cookie is marked Secure.',
    ),
    folder: optionalText(
      'Folder whose `dist` has the built dashboard; without it that of this installation, built where it must be.',
    ),
  },
} as const;
