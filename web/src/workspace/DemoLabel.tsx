import { isDemoAddress } from '#libs/contracts';

/** Marks demo addresses (`demo.example`). Renders nothing for others. */
export function DemoLabel({ email }: { email: string }) {
  return (
    isDemoAddress(email) && (
      <>
        {' '}
        <span className="badge">Demo</span>
      </>
    )
  );
}
