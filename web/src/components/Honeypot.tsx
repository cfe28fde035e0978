/** People neither see nor reach this field. Bots tend to fill it, and `useForm` reads it. */
export function Honeypot() {
  return (
    <label className="visually-hidden" aria-hidden="true">
      Website
      <input type="text" name="website" tabIndex={-1} autoComplete="off" />
    </label>
  );
}
