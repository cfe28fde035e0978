/** The number of the customer's messages and changes in a project that the reader has not seen. */
export function Unread({ unread }: { unread: number }) {
  if (unread === 0) return null;
  return <span className="project-unread">{unread > 99 ? '99+ new' : `${unread} new`}</span>;
}
