/** Outline icons (24 × 24) that the header, the footer or more than one feature shows. They have the colour of the text around them. */
const paths = {
  menu: 'M4 7h16M4 12h11M4 17h16',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  warning: 'M12 4v11M12 20v.01',
  arrow: 'M5 12h13M13 6.5l5.5 5.5-5.5 5.5',
  down: 'M12 5v13M6.5 13l5.5 5.5 5.5-5.5',
  close: 'M6 6l12 12M18 6L6 18',
  map: 'M12 21c4-4.6 6.5-8 6.5-11a6.5 6.5 0 1 0-13 0c0 3 2.5 6.4 6.5 11zM12 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z',
  phone:
    'M6.5 4h3l1.5 4-2 1.5a11 11 0 0 0 5.5 5.5l1.5-2 4 1.5v3a2 2 0 0 1-2 2A15.5 15.5 0 0 1 4.5 6a2 2 0 0 1 2-2z',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  facebook:
    'M14 21v-7h2.6l.5-3H14V9.2c0-1 .4-1.7 1.8-1.7H17.2V4.9A16 16 0 0 0 15 4.7c-2.4 0-4 1.4-4 4V11H8.4v3H11v7',
  instagram:
    'M8 4h8a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4zM12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM16.8 7.2v.01',
} as const;

export type IconName = keyof typeof paths;

/** Decorative: visible or visually hidden text next to it carries the meaning. */
export const Icon = ({ name }: { name: IconName }) => <Glyph path={paths[name]} />;

/** For icons that are not among `paths`, with the same view box. */
export function Glyph({ path }: { path: string }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}
