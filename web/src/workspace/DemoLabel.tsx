import { isDemoAddress } from '#libs/contracts';

/** Marks a record of a demo customer or subscriber, after its name. Renders nothing for others. */
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
