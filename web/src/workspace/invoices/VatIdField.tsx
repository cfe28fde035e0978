import { type FocusEvent, useRef, useState } from 'react';
import type { VatIdState } from '#libs/contracts';
import { Field } from '../../components/Field.js';
import { callApi } from '../../lib/api.js';
import { StatusWord } from '../orders/StatusWord.js';
import { vatIdFrom } from './billing.js';
import { vatIdNotChecked, vatIdStates } from './words.js';

interface VatIdFieldProps {
  field: {
    name: string;
    error: string | undefined;
    onBlur(event: FocusEvent<HTMLInputElement>): void;
    onChange(): void;
  };
  initialValue: string | undefined;
  /** What is known of `initialValue`. */
  initialState: VatIdState | null;
  /** Called when an entered VAT ID has been checked, but not if the check failed. */
  onChecked?: (() => void) | undefined;
}

export function VatIdField({ field, initialValue = '', initialState, onChecked }: VatIdFieldProps) {
  const [state, setState] = useState<VatIdState | 'not checked' | null>(initialState);
  /** The VAT ID that `state` is about; undefined if its check has failed or it was changed, so that leaving the field checks it. */
  const latest = useRef<string | undefined>(initialValue);

  async function check(vatId: string): Promise<void> {
    if (vatId === latest.current) return;
    latest.current = vatId;
    setState(null);
    if (vatId === '') return;
    const answer = await callApi('POST /vat-id-check', { body: { vatId } });
    const isOutdated = latest.current !== vatId;
    if (isOutdated) return;
    if (answer.ok) {
      setState(answer.value.state);
      onChecked?.();
    } else {
      setState('not checked');
      latest.current = undefined;
    }
  }

  return (
    <div className="vat-id">
      <Field
        {...field}
        label="VAT ID"
        hint="For businesses in the EU. Include the country code, for example DE123456789."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        dir="ltr"
        maxLength={20}
        defaultValue={initialValue}
        onChange={({ target }) => {
          field.onChange();
          if (vatIdFrom(target.value) === latest.current) return;
          latest.current = undefined;
          setState(null);
        }}
        onBlur={(event) => {
          field.onBlur(event);
          void check(vatIdFrom(event.target.value));
        }}
      />
      <div role="status">
        {state && <StatusWord status={state === 'not checked' ? vatIdNotChecked : vatIdStates[state]} />}
      </div>
    </div>
  );
}
