/** A field that people neither see nor reach, and that bots tend to fill. `useForm` reads it. */
export function Honeypot() {
  return (
    <label className="visually-hidden" aria-hidden="true">
      Website
      <input type="text" name="website" tabIndex={-1} autoComplete="off" />
    </label>
  );
}
