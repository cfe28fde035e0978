/** How much a member of staff has not read in a project. */
export function Unread({ unread }: { unread: number }) {
  if (unread === 0) return null;
  return <span className="project-unread">{unread > 99 ? '99+ new' : `${unread} new`}</span>;
}
