/** What a person whose browser runs no JavaScript must know. */
export function WithoutScript({ children }: { children: string }) {
  return (
    <noscript>
      <p className="without-script">{children}</p>
    </noscript>
  );
}
