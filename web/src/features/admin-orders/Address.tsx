/** An e-mail address that breaks after the @ only. */
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
