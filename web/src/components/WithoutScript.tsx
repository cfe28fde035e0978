export function WithoutScript({ children }: { children: string }) {
  return (
    <noscript>
      <p className="without-script">{children}</p>
    </noscript>
  );
}
