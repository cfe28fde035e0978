import { TextAreaField } from '../../components/Field.js';

interface ReasonFieldProps {
  name: string;
  reason: string;
  change(reason: string): void;
}

/** Why an admin overrides the payment status. */
export function ReasonField({ name, reason, change }: ReasonFieldProps) {
  return (
    <TextAreaField
      name={name}
      label="Reason"
      hint="For your team: kept in the timeline and the audit log, not shown to customers."
      rows={2}
      required
      maxLength={1000}
      value={reason}
      onChange={({ target }) => change(target.value)}
    />
  );
}
