/** An e-mail address that continues on a new line only after the @. */
export function Address({ email }: { email: string }) {
  const at = email.lastIndexOf('@') + 1;
  return (
    <span className="order-address">
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </span>
  );
}
