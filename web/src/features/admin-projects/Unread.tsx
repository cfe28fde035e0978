/** Counts what the customer's side has written or done, and automatic changes of the state. */
export function Unread({ unread }: { unread: number }) {
  if (unread === 0) return null;
  return <span className="project-unread">{unread > 99 ? '99+ new' : `${unread} new`}</span>;
}
