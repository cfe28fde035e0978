import { Cards, type CardLink } from '../../workspace/Figures.js';
import { capitalize } from '../../workspace/formats.js';
import { AdminScreen } from './AdminScreen.js';
import { type ContentScreen, furtherScreens, mainScreens } from './content-screens.js';

export function Component() {
  return (
    <AdminScreen lead="The site’s text and images, section by section.">
      <Cards label="Settings" links={mainScreens.map(cardOf)} />
      <section className="panel" aria-labelledby="further-heading">
        <h2 id="further-heading">More sections</h2>
        <Cards links={furtherScreens.map(cardOf)} />
      </section>
    </AdminScreen>
  );
}

/** The text lists the first sections of the screen, or, if there is only one, its first fields. */
function cardOf({ path, label, parts }: ContentScreen): CardLink {
  const sections = parts.map(({ section }) => section);
  const names =
    sections.length > 1
      ? sections.map(({ kind, labels }) => (kind === 'singleton' ? labels.one : labels.many))
      : sections.flatMap(({ fields }) => Object.values(fields)).map((field) => field.label);
  const more = names.length - 3;
  const text = (more > 1 ? [...names.slice(0, 3), `${more} more`] : names).join(', ');
  return { to: path, title: label, text: capitalize(text) };
}
