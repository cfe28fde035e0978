import { isDemoAddress } from '#libs/contracts';

/** Marks a record with a demo address (`demo.example`), after its name. Renders nothing for others. */
export function DemoLabel({ email }: { email: string }) {
  return (
    isDemoAddress(email) && (
      <>
        {' '}
        <span className="demo-label">Demo</span>
      </>
    )
  );
}
