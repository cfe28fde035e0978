import { allSections, findSection, type Section, type SectionName } from '#libs/content-model';
import { isRecordId } from '../../lib/record-id.js';

/**
 * Where each section is edited: the documented addresses, headings and labels. What a form holds, checks and says when
 * it has saved comes from the section's declaration; a section that is not in this table has its screens all the same.
 */

export interface Part {
  section: Section;
  /** Address of a record's edit screen. */
  editPath: string;
  /** Title of the edit screen. */
  editTitle: string;
  /** What the edit form's button says. */
  save: string;
  /** Heading of the form that adds a record. */
  add: string;
  /** Heading over the records of a collection. */
  list: string;
  /** What leads from a record to its edit screen; undefined where the record's own name does. */
  edit?: string;
  /** The field that a record goes by. */
  named: string;
}

export interface ContentScreen {
  path: string;
  /** The screen's `<h1>`. */
  title: string;
  /** What the navigation and the hub call it. */
  label: string;
  parts: readonly Part[];
}

type PartLabels = Partial<Omit<Part, 'section' | 'editPath'>>;

function part(name: SectionName, editPath: string, labels: PartLabels = {}): Part {
  const section = findSection(name);
  if (!section) throw new Error(`There is no section ${name}`);
  return partOf(section, editPath, labels);
}

function partOf(section: Section, editPath: string, labels: PartLabels = {}): Part {
  const { one, many } = section.labels;
  return {
    section,
    editPath,
    editTitle: `Update ${one}`,
    save: labels.editTitle ?? `Update ${one}`,
    add: `Add ${one}`,
    list: capital(many),
    named: shortFields(section)[0] ?? '_id',
    ...labels,
  };
}

/** What a record may go by: it is on one line, and it is there. */
function shortFields({ fields }: Section): string[] {
  return Object.keys(fields).filter(
    (name) => fields[name]?.required && /^(text|choice)$/.test(fields[name].kind),
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const documented: readonly ContentScreen[] = [
  {
    path: '/edit-banner',
    title: 'Update Banner',
    label: 'Banner',
    parts: [part('banner', '/banner/:id', { editTitle: 'Update Banner', add: 'Add Banner' })],
  },
  {
    path: '/add-logo',
    title: 'Logo',
    label: 'Logo',
    parts: [part('logo', '/edit-logo/:id', { editTitle: 'Update Logo', add: 'Add Logo' })],
  },
  {
    path: '/edit-about',
    title: 'About',
    label: 'About',
    parts: [part('about', '/:id', { editTitle: 'Update About', add: 'Add About' })],
  },
  {
    path: '/edit-work',
    title: 'Work Section',
    label: 'Work section',
    parts: [
      part('workSection', '/edit-work/:id', { editTitle: 'Update Work Section', add: 'Add Work Section' }),
    ],
  },
  {
    path: '/edit-service',
    title: 'Services',
    label: 'Services',
    parts: [
      part('serviceHeading', '/servicetext-edit/:id', {
        editTitle: 'Update Service Text',
        add: 'Add Service Text',
      }),
      part('serviceItem', '/service-edit/:id', {
        editTitle: 'Update Service',
        save: 'Update service',
        add: 'Add Service',
        edit: 'Edit Services',
        named: 'serviceTitle',
      }),
    ],
  },
  {
    path: '/edit-counter',
    title: 'Counters',
    label: 'Counters',
    parts: [part('counters', '/counters/:id', { editTitle: 'Update Counters', add: 'Add Counters' })],
  },
  {
    path: '/edit-faq',
    title: 'FAQ',
    label: 'FAQ',
    parts: [
      part('faqHeading', '/faqtext-edit/:id', { editTitle: 'Update FAQ Text', add: 'Add FAQ Text' }),
      part('faqItem', '/faq-edit/:id', { editTitle: 'Update FAQ', add: 'Add FAQ', edit: 'Edit FAQs' }),
    ],
  },
  {
    path: '/edit-testimonial',
    title: 'Testimonials',
    label: 'Testimonials',
    parts: [
      part('testimonialText', '/testimonialtext-edit/:id', {
        editTitle: 'Update Testimonial Text',
        add: 'Add Testimonial Text',
      }),
      part('testimonial', '/edit-testimonial/:id', {
        editTitle: 'Update Testimonial',
        add: 'Add Testimonial',
        named: 'personName',
      }),
    ],
  },
  {
    path: '/add-pricing',
    title: 'Pricing',
    label: 'Pricing',
    parts: [
      part('pricingPackage', '/package-edit/:id', {
        editTitle: 'Update Pricing',
        add: 'Add Pricing',
        edit: 'Edit Pricing',
        named: 'packageName',
      }),
    ],
  },
  {
    path: '/update-calltoaction',
    title: 'Call To Action',
    label: 'Call to action',
    parts: [
      part('callToAction', '/edit-call/:id', {
        editTitle: 'Update Call To Action',
        add: 'Add Call To Action',
      }),
    ],
  },
  {
    path: '/add-address-footer',
    title: 'Footer Address',
    label: 'Footer address',
    parts: [
      part('footerAddress', '/edit-address-footer/:id', {
        editTitle: 'Update Footer Address',
        add: 'Add Footer Address',
      }),
    ],
  },
  {
    path: '/add-social-footer',
    title: 'Footer Social Links',
    label: 'Footer social links',
    parts: [
      part('footerSocial', '/edit-social-footer/:id', {
        editTitle: 'Update Social Links',
        add: 'Add Social Links',
      }),
    ],
  },
  {
    path: '/add-copyright',
    title: 'Copyright',
    label: 'Copyright',
    parts: [
      part('copyright', '/edit-copyright/:id', { editTitle: 'Update Copyright', add: 'Add Copyright' }),
    ],
  },
  {
    path: '/step-section',
    title: 'Steps',
    label: 'Steps',
    parts: [
      part('step', '/edit-step/:id', { editTitle: 'Update Step', add: 'Add Step', list: 'Upcoming Events' }),
    ],
  },
  {
    path: '/edit-video',
    title: 'Video Section',
    label: 'Video and team',
    parts: [
      part('videoSection', '/videotext-edit/:id', {
        editTitle: 'Update Video Text',
        add: 'Add Video Section',
      }),
      part('teamMember', '/video/:id', {
        editTitle: 'Update Video',
        add: 'Add Team Member',
        named: 'membername',
      }),
    ],
  },
  {
    path: '/add-contact',
    title: 'Contact Details',
    label: 'Contact details',
    parts: [
      part('contactDetail', '/edit-contact-page/:id', {
        editTitle: 'Update Contact Details',
        add: 'Add Contact Details',
      }),
    ],
  },
  {
    path: '/add-about-footer',
    title: 'Footer About',
    label: 'Footer about',
    parts: [
      part('footerAbout', '/edit-about-footer/:id', {
        editTitle: 'Update Footer About',
        add: 'Add Footer About',
      }),
    ],
  },
  {
    path: '/add-item',
    title: 'Design Items',
    label: 'Design items',
    parts: [
      part('designItem', '/setting/designItem/:id', {
        editTitle: 'Update Item',
        add: 'Add Item',
        named: 'category',
      }),
    ],
  },
];

const inTable = new Set(documented.flatMap(({ parts }) => parts.map(({ section }) => section.name)));

/** Sections that the specification has no screens for. */
const others: readonly ContentScreen[] = allSections
  .filter(({ name }) => !inTable.has(name))
  .map((section) => {
    const name = capital(section.kind === 'singleton' ? section.labels.one : section.labels.many);
    const path = `/setting/${section.name}`;
    return { path, title: name, label: name, parts: [partOf(section, `${path}/:id`)] };
  });

export const contentScreens: readonly ContentScreen[] = [...documented, ...others];

/** The cards of the settings hub, in the documented order; what came later follows in a group of its own. */
const hubPaths = [
  '/edit-banner',
  '/add-logo',
  '/edit-about',
  '/edit-work',
  '/edit-service',
  '/edit-counter',
  '/edit-faq',
  '/edit-testimonial',
  '/add-pricing',
  '/update-calltoaction',
  '/add-address-footer',
  '/add-social-footer',
  '/add-copyright',
];

export const hubScreens = hubPaths.map((path) => contentScreens.find((screen) => screen.path === path)!);
export const furtherScreens = contentScreens.filter((screen) => !hubPaths.includes(screen.path));

/** The address of a record's edit screen. */
export const editAddress = ({ editPath }: Part, id: string): string => editPath.replace(':id', id);

/** The screen at an address, and which of its records' edit screens that is, if it is one. */
export function screenAt(pathname: string): { screen: ContentScreen; part?: Part; id?: string } | undefined {
  const path = pathname.replace(/\/$/, '');
  const screen = contentScreens.find((candidate) => candidate.path === path);
  if (screen) return { screen };
  const cut = path.lastIndexOf('/');
  const id = path.slice(cut + 1);
  if (!isRecordId(id)) return undefined;
  const pattern = `${path.slice(0, cut)}/:id`;
  for (const candidate of contentScreens) {
    const part = candidate.parts.find(({ editPath }) => editPath === pattern);
    if (part) return { screen: candidate, part, id };
  }
  return undefined;
}
