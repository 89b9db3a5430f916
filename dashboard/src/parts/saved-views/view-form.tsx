import { useState } from 'react';
import { identity, type SavedView } from '../../api/identity.ts';
import { useUser } from '../../session/use-session.ts';
import { Switch, TextField } from '../field.tsx';
import { FormDialog } from '../form.tsx';
import { savedViewsKey } from './use-saved-views.ts';

/** Names a view, a new one or one of the user's own, and says who sees it. */
export function ViewForm({
  place,
  search,
  view,
  onClose,
}: {
  place: string;
  search: Readonly<Record<string, string>>;
  /** Undefined for a new view. */
  view?: SavedView | undefined;
  onClose: () => void;
}) {
  const { tenantName } = useUser();
  const [name, setName] = useState(view?.name ?? '');
  const [isShared, setIsShared] = useState(view?.visibility === 'tenant');
  const visibility = isShared ? 'tenant' : 'private';
  return (
    <FormDialog
      title={view === undefined ? 'Save this view' : `Change “${view.name}”`}
      action="Save"
      ready={name.trim() !== ''}
      run={() =>
        view === undefined
          ? identity.createSavedView({ body: { place, name, search: { ...search }, visibility } })
          : identity.updateSavedView({ params: { view_id: view.view_id }, body: { name, visibility } })
      }
      changes={savedViewsKey}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        maxLength={60}
        required
        onChange={({ target }) => setName(target.value)}
      />
      <Switch
        label={`Everyone in ${tenantName} sees it on this page`}
        checked={isShared}
        onChange={setIsShared}
      />
    </FormDialog>
  );
}
