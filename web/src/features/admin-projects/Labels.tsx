export function Labels({ labels }: { labels: readonly string[] }) {
  if (labels.length === 0) return null;
  return (
    <ul className="labels" aria-label="Labels">
      {labels.map((label) => (
        <li className="label" key={label}>
          {label}
        </li>
      ))}
    </ul>
  );
}
