import { type FocusEvent, useState } from 'react';
import type { VatIdState } from '#libs/contracts';
import { Field } from '../../components/Field.js';
import { callApi } from '../../lib/api.js';
import { StatusWord } from '../orders/StatusWord.js';
import { vatIdFrom } from './billing.js';
import { vatIdStates } from './words.js';

interface VatIdFieldProps {
  field: {
    name: string;
    error: string | undefined;
    onBlur(event: FocusEvent<HTMLInputElement>): void;
    onChange(): void;
  };
  value: string | undefined;
  /** What is known of `value`. */
  state: VatIdState | null;
  /** Called when another VAT id has been checked. */
  onChecked?: (() => void) | undefined;
}

/** A VAT id, which is checked when the field is left. */
export function VatIdField({ field, value = '', state, onChecked }: VatIdFieldProps) {
  const [known, setKnown] = useState({ vatId: value, state });

  async function check(vatId: string): Promise<void> {
    if (vatId === known.vatId) return;
    setKnown({ vatId, state: null });
    if (vatId === '') return;
    const answer = await callApi('POST /vat-id-check', { body: { vatId } });
    const found = answer.ok ? answer.value.state : 'unknown';
    // The answer is ignored if another VAT id was entered meanwhile.
    setKnown((now) => (now.vatId === vatId ? { vatId, state: found } : now));
    onChecked?.();
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
        defaultValue={value}
        onBlur={(event) => {
          field.onBlur(event);
          void check(vatIdFrom(event.target.value));
        }}
      />
      <div role="status">{known.state && <StatusWord word={vatIdStates[known.state]} />}</div>
    </div>
  );
}
