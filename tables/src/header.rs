//! A **header**: what a table says about itself.

use std::ops::{Range, RangeInclusive};

use koma_games::Law;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    coding::Coding,
    counts::{Census, Counts},
    error::{HeaderFault, OpenFault},
    identity::Identity,
    kind::Kind,
    layout::{BLOCK_BYTES, Layout, MAGIC, PREFIX_BYTES},
    outcomes::{self, LawCounts, OutcomeCounts, Outcomes},
};

/// The newest version of the file format that this crate writes and reads; it reads all before it.
///
/// Tables without outcomes are written in the first version, which older programs read.
pub const FORMAT_VERSION: u32 = 2;

/// The first version of the file format: without outcomes.
const WITHOUT_OUTCOMES: u32 = 1;

/// The longest header: room for over 690,000 different distances.
const MAX_HEADER_BYTES: u64 = 16 << 20;

/// Block sizes a reader accepts: powers of two in this range.
const BLOCK_SIZES: RangeInclusive<u32> = 64..=16 << 20;

/// What a table says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    program: String,
    identity: Identity,
    coding: Coding,
    exact: bool,
    block_bytes: u32,
    len: u64,
    census: Census,
    /// What laws make of the residue.
    outcomes: Vec<LawCounts>,
    /// `None` until all cells are written.
    content_hash: Option<u64>,
}

/// The fields in the order in which they are in the file.
#[derive(bincode::Encode, bincode::Decode)]
struct Fields {
    program: String,
    game: String,
    universe: String,
    numbering: u32,
    law: String,
    kind: String,
    coding: String,
    cell_bits: u32,
    exact: bool,
    finished: bool,
    block_bytes: u32,
    len: u64,
    positions: Counts,
    ranks: Counts,
    content_hash: u64,
}

/// The field behind these from the second format version on.
type OutcomeFields = Vec<(String, OutcomeCounts, OutcomeCounts)>;

/// Fixed-width little-endian integers, so that the length of a header does not depend on the
/// content hash. The limit keeps an absurd length inside the header from asking for memory; it is
/// twice the longest header because a pair in memory is larger than in the file.
fn bincode_config() -> impl bincode::config::Config {
    bincode::config::standard()
        .with_little_endian()
        .with_fixed_int_encoding()
        .with_limit::<{ 2 * MAX_HEADER_BYTES as usize }>()
}

impl Header {
    /// The header of a new, unfinished table.
    ///
    /// # Errors
    /// [`HeaderFault`] when the counts cannot be those of such a table.
    pub(crate) fn new(
        identity: &Identity,
        kind: Kind,
        census: &Census,
        len: u64,
        by_parity: bool,
        outcomes: Vec<LawCounts>,
    ) -> Result<Header, HeaderFault> {
        let deepest = census.ranks.deepest().max(census.positions.deepest());
        let narrowest = if by_parity {
            Coding::narrowest
        } else {
            Coding::narrowest_paired
        };
        let coding =
            narrowest(kind, deepest.unwrap_or(0)).map_err(|error| HeaderFault::Inconsistent {
                field: "ranks",
                why: error.to_string(),
            })?;
        let header = Header {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            identity: identity.clone(),
            coding,
            exact: true,
            block_bytes: BLOCK_BYTES,
            len,
            census: census.clone(),
            outcomes,
            content_hash: None,
        };
        header.check()?;
        Ok(header)
    }

    /// The bytes of the file that a writer makes of so many ranks, counted by `census`, with these
    /// outcomes. Cells are coded by parity where a distance says what the value is.
    ///
    /// # Errors
    /// [`HeaderFault`] when the census can't be that of such a table.
    pub fn file_bytes(
        identity: &Identity,
        kind: Kind,
        census: &Census,
        len: u64,
        by_parity: bool,
        outcomes: &[Outcomes],
    ) -> Result<u64, HeaderFault> {
        let counts = outcomes.iter().map(|outcomes| *outcomes.counts()).collect();
        let header = Header::new(identity, kind, census, len, by_parity, counts)?;
        Ok(header.layout()?.file_bytes())
    }

    /// Declares the table finished.
    pub(crate) fn finish(&mut self, content_hash: u64) {
        self.content_hash = Some(content_hash);
    }

    /// Everything before the padding of the header: magic, version, length, checksum, header.
    ///
    /// # Errors
    /// [`HeaderFault`] when the header would be longer than a reader accepts.
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, HeaderFault> {
        let fields = Fields {
            program: self.program.clone(),
            game: self.identity.game.clone(),
            universe: self.identity.universe.clone(),
            numbering: self.identity.numbering,
            law: self.identity.law.name().to_owned(),
            kind: self.kind().name().to_owned(),
            coding: self.coding.name().to_owned(),
            cell_bits: self.coding.bits(),
            exact: self.exact,
            finished: self.content_hash.is_some(),
            block_bytes: self.block_bytes,
            len: self.len,
            positions: self.census.positions.clone(),
            ranks: self.census.ranks.clone(),
            content_hash: self.content_hash.unwrap_or(0),
        };
        let syntax = |error: bincode::error::EncodeError| HeaderFault::Syntax(error.to_string());
        let mut body = bincode::encode_to_vec(fields, bincode_config()).map_err(syntax)?;
        if self.format_version() > WITHOUT_OUTCOMES {
            let outcomes = self.outcomes.iter();
            let fields: OutcomeFields = outcomes
                .map(|counts| (counts.law.name().to_owned(), counts.positions, counts.ranks))
                .collect();
            body.extend(bincode::encode_to_vec(fields, bincode_config()).map_err(syntax)?);
        }
        if body.len() as u64 > MAX_HEADER_BYTES {
            let why = format!(
                "the header takes {} of {MAX_HEADER_BYTES} bytes",
                body.len()
            );
            return Err(HeaderFault::Inconsistent {
                field: "ranks",
                why,
            });
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&self.format_version().to_le_bytes());
        bytes.extend_from_slice(&(body.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&checksum(&bytes, &body).to_le_bytes());
        bytes.extend_from_slice(&body);
        Ok(bytes)
    }

    /// Reads the header of a file and finds where its parts lie. Looks at nothing behind the
    /// padding of the header but the length of the file.
    pub(crate) fn read(file: &[u8]) -> Result<(Header, Layout), OpenFault> {
        if file.is_empty() {
            return Err(OpenFault::Empty);
        }
        let Some(rest) = file.strip_prefix(&MAGIC) else {
            return Err(OpenFault::Magic);
        };
        let file_bytes = file.len() as u64;
        let too_short = |expected| OpenFault::Length {
            bytes: file_bytes,
            expected,
        };

        let (version, rest) = rest.split_first_chunk().ok_or(too_short(PREFIX_BYTES))?;
        let version = u32::from_le_bytes(*version);
        if !(WITHOUT_OUTCOMES..=FORMAT_VERSION).contains(&version) {
            return Err(OpenFault::Version(version));
        }
        let (body_bytes, rest) = rest.split_first_chunk().ok_or(too_short(PREFIX_BYTES))?;
        let body_bytes = u64::from(u32::from_le_bytes(*body_bytes));
        if body_bytes > MAX_HEADER_BYTES {
            return Err(OpenFault::HeaderLength {
                bytes: body_bytes,
                max: MAX_HEADER_BYTES,
            });
        }
        let (stored, rest) = rest.split_first_chunk().ok_or(too_short(PREFIX_BYTES))?;
        let body = rest
            .get(..body_bytes as usize)
            .ok_or(too_short(PREFIX_BYTES + body_bytes))?;
        if u64::from_le_bytes(*stored) != checksum(&file[..16], body) {
            return Err(OpenFault::HeaderChecksum);
        }

        let header = Header::from_body(version, body).map_err(OpenFault::Header)?;
        let layout = header
            .layout_behind(body_bytes)
            .map_err(OpenFault::Header)?;
        if header.content_hash.is_none() {
            return Err(OpenFault::Unfinished);
        }
        if layout.file_bytes() != file_bytes {
            return Err(OpenFault::Length {
                bytes: file_bytes,
                expected: layout.file_bytes(),
            });
        }
        match first_nonzero(file, layout.header_padding.clone()) {
            Some(offset) => Err(OpenFault::Padding { offset }),
            None => Ok((header, layout)),
        }
    }

    fn from_body(version: u32, body: &[u8]) -> Result<Header, HeaderFault> {
        let syntax = |error: bincode::error::DecodeError| HeaderFault::Syntax(error.to_string());
        let (fields, mut used): (Fields, usize) =
            bincode::decode_from_slice(body, bincode_config()).map_err(syntax)?;
        let mut outcomes = OutcomeFields::new();
        if version > WITHOUT_OUTCOMES {
            let (fields, more) =
                bincode::decode_from_slice(&body[used..], bincode_config()).map_err(syntax)?;
            outcomes = fields;
            used += more;
        }
        if used != body.len() {
            let surplus = body.len() - used;
            return Err(HeaderFault::Syntax(format!(
                "{surplus} bytes after the last field"
            )));
        }
        let unknown = |field, value: &str| HeaderFault::Unknown {
            field,
            value: value.to_owned(),
        };
        if version > WITHOUT_OUTCOMES && outcomes.is_empty() {
            return Err(HeaderFault::Inconsistent {
                field: "outcomes",
                why: "there are none in a table of format version 2".to_owned(),
            });
        }
        let outcomes: Result<Vec<LawCounts>, HeaderFault> = outcomes
            .into_iter()
            .map(|(law, positions, ranks)| {
                Ok(LawCounts {
                    law: Law::from_name(&law).ok_or_else(|| unknown("outcomes", &law))?,
                    positions,
                    ranks,
                })
            })
            .collect();
        let kind = Kind::from_name(&fields.kind).ok_or_else(|| unknown("kind", &fields.kind))?;
        let coding = Coding::from_name(&fields.coding, fields.cell_bits).ok_or_else(|| {
            unknown(
                "coding",
                &format!("{} of {} bits", fields.coding, fields.cell_bits),
            )
        })?;
        if coding.kind() != kind {
            let why = format!("`{}` in a {} table", coding.name(), kind.name());
            return Err(HeaderFault::Inconsistent {
                field: "coding",
                why,
            });
        }
        let header = Header {
            program: fields.program,
            identity: Identity {
                game: fields.game,
                universe: fields.universe,
                numbering: fields.numbering,
                law: Law::from_name(&fields.law).ok_or_else(|| unknown("law", &fields.law))?,
            },
            coding,
            exact: fields.exact,
            block_bytes: fields.block_bytes,
            len: fields.len,
            census: Census {
                positions: fields.positions,
                ranks: fields.ranks,
            },
            outcomes: outcomes?,
            content_hash: fields.finished.then_some(fields.content_hash),
        };
        header.check()?;
        Ok(header)
    }

    /// Refuses what no writer of this format version writes.
    fn check(&self) -> Result<(), HeaderFault> {
        for (field, name) in [
            ("game", &self.identity.game),
            ("universe", &self.identity.universe),
        ] {
            if name.is_empty() {
                return Err(HeaderFault::Inconsistent {
                    field,
                    why: "it is empty".to_owned(),
                });
            }
        }
        if !self.exact {
            return Err(HeaderFault::Unknown {
                field: "exact",
                value: "false".to_owned(),
            });
        }
        if !self.block_bytes.is_power_of_two() || !BLOCK_SIZES.contains(&self.block_bytes) {
            let why = format!("blocks of {} bytes", self.block_bytes);
            return Err(HeaderFault::Inconsistent {
                field: "block_bytes",
                why,
            });
        }
        self.census.check(self.coding, self.len)?;
        outcomes::check(&self.outcomes, self.identity.law, &self.census)
    }

    /// Where the parts of the file lie.
    pub(crate) fn layout(&self) -> Result<Layout, HeaderFault> {
        let body_bytes = self.to_bytes()?.len() as u64 - PREFIX_BYTES;
        self.layout_behind(body_bytes)
    }

    /// Where the parts of the file lie behind a header of this many bytes.
    fn layout_behind(&self, body_bytes: u64) -> Result<Layout, HeaderFault> {
        let (laws, residue) = (self.outcomes.len() as u64, self.census.ranks.draw);
        let layout = Layout::new(
            body_bytes,
            self.coding,
            self.len,
            self.block_bytes,
            laws,
            residue,
        );
        layout.ok_or_else(|| {
            let why = format!("{} ranks make a file of over 64 bits", self.len);
            HeaderFault::Inconsistent { field: "len", why }
        })
    }

    /// The version of the file format that the table is in.
    pub fn format_version(&self) -> u32 {
        match self.outcomes.is_empty() {
            true => WITHOUT_OUTCOMES,
            false => FORMAT_VERSION,
        }
    }

    /// The version of the program that wrote the table.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Which question the table answers.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// How much the table says about a position.
    pub fn kind(&self) -> Kind {
        self.coding.kind()
    }

    /// How its cells are written.
    pub fn coding(&self) -> Coding {
        self.coding
    }

    /// Whether every value is exact. Always so in the format versions there are.
    pub fn exact(&self) -> bool {
        self.exact
    }

    /// The number of ranks, holes among them.
    pub fn rank_count(&self) -> u64 {
        self.len
    }

    /// The number of ranks that are no legal position.
    pub fn holes(&self) -> u64 {
        self.len - self.census.ranks.total()
    }

    /// How many positions and ranks are won, lost and drawn.
    pub fn census(&self) -> &Census {
        &self.census
    }

    /// What laws make of the residue, counted; the law of the table's identity is the first. None where
    /// endless play is a draw.
    pub fn outcomes(&self) -> &[LawCounts] {
        &self.outcomes
    }

    /// Bytes of cells a checksum covers.
    pub fn block_bytes(&self) -> u32 {
        self.block_bytes
    }

    /// The xxh3-64 of the list of block checksums. Tables of equal cells, coding and block size
    /// have the same, whatever program version wrote them.
    pub fn content_hash(&self) -> u64 {
        self.content_hash.unwrap_or(0)
    }
}

/// The checksum of a header covers the bytes before it too.
fn checksum(before: &[u8], body: &[u8]) -> u64 {
    xxh3_64(&[before, body].concat())
}

/// The place of the first byte in `range` that is not zero.
pub(crate) fn first_nonzero(file: &[u8], range: Range<u64>) -> Option<u64> {
    let place = file[range.start as usize..range.end as usize]
        .iter()
        .position(|&byte| byte != 0)?;
    Some(range.start + place as u64)
}
