/** A message that shows only in a browser without JavaScript. */
export function WithoutScript({ children }: { children: string }) {
  return (
    <noscript>
      <p className="without-script">{children}</p>
    </noscript>
  );
}
