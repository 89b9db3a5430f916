import { optionalText, optionalUrl } from '#base/config/setting.ts';

export const dashboardSections = {
  dashboard: {
    publicUrl: optionalUrl(
      ['https', 'http'],
      'Public URL of the dashboard behind a proxy; its origin is then accepted, and with https its cookie is marked Secure.',
    ),
    folder: optionalText(
      'Folder whose `dist` contains the built dashboard; if unset, the one of this installation, built if needed.',
    ),
  },
} as const;
