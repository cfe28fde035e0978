import type { SectionName } from '#libs/content-model';

export interface ListedPart {
  section: SectionName;
  /** `/setting/<section>/:id` unless the specification prescribes another one. */
  editPath?: string;
  editTitle: string;
  /** Label of the edit form's button. Default: `editTitle`. */
  saveLabel?: string;
  /** Heading of the form that adds a record, and the label of its button. */
  addHeading?: string;
  listHeading?: string;
  /** Without it, the record's name is the link. */
  editLinkLabel?: string;
  /** The field whose value is shown as the record's name. Default: the first that `nameFields` returns for the section. */
  nameField?: string;
}

export interface ListedScreen {
  path: string;
  /** The screen's heading. */
  title: string;
  /** Names the screen in the navigation, on the screen `/setting` and in the browser's tab. */
  label: string;
  group: string;
  parts: readonly ListedPart[];
}

/**
 * The content screens whose addresses the specification prescribes, and the screen of the site's name. A section that is not listed here has its
 * screens at `/setting/<section>`, and the navigation lists it under 'More'. Labels that the specification prescribes are used as they are, even odd
 * ones such as 'Upcoming Events' above the steps.
 */
export const contentAddresses: readonly ListedScreen[] = [
  {
    path: '/edit-banner',
    title: 'Update Banner',
    label: 'Banner',
    group: 'Landing page',
    parts: [
      { section: 'banner', editPath: '/banner/:id', editTitle: 'Update Banner', addHeading: 'Add Banner' },
    ],
  },
  {
    path: '/edit-service',
    title: 'Services',
    label: 'Services',
    group: 'Landing page',
    parts: [
      {
        section: 'serviceHeading',
        editPath: '/servicetext-edit/:id',
        editTitle: 'Update Service Text',
        addHeading: 'Add Service Text',
      },
      {
        section: 'serviceItem',
        editPath: '/service-edit/:id',
        editTitle: 'Update Service',
        saveLabel: 'Update service',
        addHeading: 'Add Service',
        editLinkLabel: 'Edit Services',
        nameField: 'serviceTitle',
      },
    ],
  },
  {
    path: '/edit-work',
    title: 'Work Section',
    label: 'Work section',
    group: 'Landing page',
    parts: [
      {
        section: 'workSection',
        editPath: '/edit-work/:id',
        editTitle: 'Update Work Section',
        addHeading: 'Add Work Section',
      },
    ],
  },
  {
    path: '/step-section',
    title: 'Steps',
    label: 'Steps',
    group: 'Landing page',
    parts: [
      {
        section: 'step',
        editPath: '/edit-step/:id',
        editTitle: 'Update Step',
        addHeading: 'Add Step',
        listHeading: 'Upcoming Events',
      },
    ],
  },
  {
    path: '/edit-about',
    title: 'About',
    label: 'About',
    group: 'Landing page',
    parts: [{ section: 'about', editPath: '/:id', editTitle: 'Update About', addHeading: 'Add About' }],
  },
  {
    path: '/edit-faq',
    title: 'FAQ',
    label: 'FAQ',
    group: 'Landing page',
    parts: [
      {
        section: 'faqHeading',
        editPath: '/faqtext-edit/:id',
        editTitle: 'Update FAQ Text',
        addHeading: 'Add FAQ Text',
      },
      {
        section: 'faqItem',
        editPath: '/faq-edit/:id',
        editTitle: 'Update FAQ',
        addHeading: 'Add FAQ',
        editLinkLabel: 'Edit FAQs',
      },
    ],
  },
  {
    path: '/edit-counter',
    title: 'Counters',
    label: 'Counters',
    group: 'Landing page',
    parts: [
      {
        section: 'counters',
        editPath: '/counters/:id',
        editTitle: 'Update Counters',
        addHeading: 'Add Counters',
      },
    ],
  },
  {
    path: '/edit-testimonial',
    title: 'Testimonials',
    label: 'Testimonials',
    group: 'Landing page',
    parts: [
      {
        section: 'testimonialText',
        editPath: '/testimonialtext-edit/:id',
        editTitle: 'Update Testimonial Text',
        addHeading: 'Add Testimonial Text',
      },
      {
        section: 'testimonial',
        editPath: '/edit-testimonial/:id',
        editTitle: 'Update Testimonial',
        addHeading: 'Add Testimonial',
        nameField: 'personName',
      },
    ],
  },
  {
    path: '/add-pricing',
    title: 'Pricing',
    label: 'Pricing',
    group: 'Offer and contact',
    parts: [
      {
        section: 'pricingPackage',
        editPath: '/package-edit/:id',
        editTitle: 'Update Pricing',
        addHeading: 'Add Pricing',
        editLinkLabel: 'Edit Pricing',
        nameField: 'packageName',
      },
    ],
  },
  {
    path: '/update-calltoaction',
    title: 'Call To Action',
    label: 'Call to action',
    group: 'Offer and contact',
    parts: [
      {
        section: 'callToAction',
        editPath: '/edit-call/:id',
        editTitle: 'Update Call To Action',
        addHeading: 'Add Call To Action',
      },
    ],
  },
  {
    path: '/edit-video',
    title: 'Video Section',
    label: 'Video and team',
    group: 'Offer and contact',
    parts: [
      {
        section: 'videoSection',
        editPath: '/videotext-edit/:id',
        editTitle: 'Update Video Text',
        addHeading: 'Add Video Section',
      },
      {
        section: 'teamMember',
        editPath: '/video/:id',
        editTitle: 'Update Video',
        addHeading: 'Add Team Member',
        nameField: 'membername',
      },
    ],
  },
  {
    path: '/add-contact',
    title: 'Contact Details',
    label: 'Contact details',
    group: 'Offer and contact',
    parts: [
      {
        section: 'contactDetail',
        editPath: '/edit-contact-page/:id',
        editTitle: 'Update Contact Details',
        addHeading: 'Add Contact Details',
      },
    ],
  },
  {
    path: '/setting/siteName',
    title: 'Site Name',
    label: 'Site name',
    group: 'Every page',
    parts: [{ section: 'siteName', editTitle: 'Update Site Name', addHeading: 'Add Site Name' }],
  },
  {
    path: '/add-logo',
    title: 'Logo',
    label: 'Logo',
    group: 'Every page',
    parts: [
      { section: 'logo', editPath: '/edit-logo/:id', editTitle: 'Update Logo', addHeading: 'Add Logo' },
    ],
  },
  {
    path: '/add-about-footer',
    title: 'Footer About',
    label: 'Footer about',
    group: 'Every page',
    parts: [
      {
        section: 'footerAbout',
        editPath: '/edit-about-footer/:id',
        editTitle: 'Update Footer About',
        addHeading: 'Add Footer About',
      },
    ],
  },
  {
    path: '/add-address-footer',
    title: 'Footer Address',
    label: 'Footer address',
    group: 'Every page',
    parts: [
      {
        section: 'footerAddress',
        editPath: '/edit-address-footer/:id',
        editTitle: 'Update Footer Address',
        addHeading: 'Add Footer Address',
      },
    ],
  },
  {
    path: '/add-social-footer',
    title: 'Footer Social Links',
    label: 'Footer social links',
    group: 'Every page',
    parts: [
      {
        section: 'footerSocial',
        editPath: '/edit-social-footer/:id',
        editTitle: 'Update Social Links',
        addHeading: 'Add Social Links',
      },
    ],
  },
  {
    path: '/add-copyright',
    title: 'Copyright',
    label: 'Copyright',
    group: 'Every page',
    parts: [
      {
        section: 'copyright',
        editPath: '/edit-copyright/:id',
        editTitle: 'Update Copyright',
        addHeading: 'Add Copyright',
      },
    ],
  },
  {
    path: '/add-item',
    title: 'Design Items',
    label: 'Design items',
    group: 'Offer and contact',
    parts: [
      { section: 'designItem', editTitle: 'Update Item', addHeading: 'Add Item', nameField: 'category' },
    ],
  },
];
