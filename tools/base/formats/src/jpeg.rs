//! JPEG, pixel by pixel as the Java runtime decodes it: the accurate integer transform, smooth enlargement of
//! colour and the rounding of libjpeg. Other decoders round differently, and a program that turns a photograph into C64
//! graphics would get other bytes. Knows Huffman-coded pictures of one or three components with 8 bits, sequential and
//! progressive; for anything else it says so, and another decoder has its turn.

/// A picture as bytes of red, green and blue.
pub(crate) struct Decoded {
    pub width: usize,
    pub height: usize,
    /// It has one component, which is in all three.
    pub is_grey: bool,
    pub rgb: Vec<u8>,
}

/// Decodes a picture; `None` if it is of another kind or damaged.
pub(crate) fn decode(file: &[u8], max_pixels: u64) -> Option<Decoded> {
    let mut decoder = Decoder { max_pixels, ..Decoder::default() };
    decoder.segments(file)
}

const ZIGZAG: [u8; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
    14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39,
    46, 53, 60, 61, 54, 47, 55, 62, 63,
];

#[derive(Default)]
struct Decoder {
    max_pixels: u64,
    quantisation: [Option<[i32; 64]>; 4],
    /// By class (DC, AC) and number.
    huffman: [[Option<Huffman>; 4]; 2],
    width: usize,
    height: usize,
    components: Vec<Component>,
    restart_interval: usize,
    /// The colour transform of an Adobe marker.
    adobe: Option<u8>,
    has_jfif: bool,
    is_progressive: bool,
}

/// The coefficients of a scan, and their bits: those from `shift` on, the others if `before` is not 0.
#[derive(Clone, Copy)]
struct Band {
    first: usize,
    last: usize,
    before: u8,
    shift: u8,
}

/// Ten are usual; the most that make sense is one for each bit of each coefficient.
const MAX_SCANS: u32 = 1000;

struct Component {
    id: u8,
    horizontal: usize,
    vertical: usize,
    table: usize,
    /// Coefficients by block, in the order of lines.
    blocks: Vec<[i16; 64]>,
    /// Samples in rows of whole blocks.
    samples: Vec<u8>,
    stride: usize,
    rows: usize,
}

/// Codes of each length: the first code, the number of its value, and how many there are.
struct Huffman {
    lengths: [(u32, usize, u32); 17],
    values: Vec<u8>,
}

impl Huffman {
    fn new(counts: &[u8], values: &[u8]) -> Huffman {
        let mut lengths = [(0, 0, 0); 17];
        let (mut code, mut index) = (0u32, 0);
        for (length, &count) in (1..).zip(counts) {
            lengths[length] = (code, index, u32::from(count));
            code = (code + u32::from(count)) << 1;
            index += usize::from(count);
        }
        Huffman { lengths, values: values.to_vec() }
    }
}

/// The coded bits of a scan.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
    buffer: u32,
    count: u32,
}

impl Bits<'_> {
    fn bit(&mut self) -> Option<u32> {
        if self.count == 0 {
            // After the end, or at a marker, libjpeg reads zeros.
            let byte = match (self.bytes.get(self.at), self.bytes.get(self.at + 1)) {
                (Some(0xff), Some(0)) => {
                    self.at += 2;
                    0xff
                }
                (Some(0xff), _) | (None, _) => return None,
                (Some(&byte), _) => {
                    self.at += 1;
                    byte
                }
            };
            (self.buffer, self.count) = (byte.into(), 8);
        }
        self.count -= 1;
        Some(self.buffer >> self.count & 1)
    }

    fn receive(&mut self, len: u8) -> Option<i32> {
        let mut value = 0;
        for _ in 0..len {
            value = value << 1 | self.bit()? as i32;
        }
        // The upper half of the range is positive.
        let is_negative = len > 0 && value < 1 << (len - 1);
        Some(if is_negative { value - (1 << len) + 1 } else { value })
    }

    fn value(&mut self, table: &Huffman) -> Option<u8> {
        let mut code = 0;
        for (first, index, count) in &table.lengths[1..] {
            code = code << 1 | self.bit()?;
            if code >= *first && code - first < *count {
                return table.values.get(index + (code - first) as usize).copied();
            }
        }
        None
    }

    /// Bits as a plain number.
    fn number(&mut self, len: u8) -> Option<u32> {
        let mut value = 0;
        for _ in 0..len {
            value = value << 1 | self.bit()?;
        }
        Some(value)
    }

    /// A block of a sequential picture.
    fn whole_block(
        &mut self,
        dc: &Huffman,
        ac: &Huffman,
        last: &mut i32,
        block: &mut [i16; 64],
    ) -> Option<()> {
        let len = self.value(dc)?;
        if len > 11 {
            return None;
        }
        *last = last.wrapping_add(self.receive(len)?);
        block[0] = *last as i16;
        let mut index = 1;
        while index < 64 {
            let value = self.value(ac)?;
            let (run, len) = (usize::from(value >> 4), value & 15);
            if len == 0 {
                if run != 15 {
                    break;
                }
                index += 16;
                continue;
            }
            index += run;
            let place = usize::from(*ZIGZAG.get(index)?);
            block[place] = self.receive(len)? as i16;
            index += 1;
        }
        Some(())
    }

    /// The first coefficient of a block of a progressive picture, or one more bit of it.
    fn first_value(
        &mut self,
        table: Option<&Huffman>,
        band: Band,
        last: &mut i32,
        block: &mut [i16; 64],
    ) -> Option<()> {
        if band.before > 0 {
            block[0] |= (self.bit()? << band.shift) as i16;
            return Some(());
        }
        let len = self.value(table?)?;
        if len > 11 {
            return None;
        }
        *last = last.wrapping_add(self.receive(len)?);
        block[0] = last.wrapping_shl(band.shift.into()) as i16;
        Some(())
    }

    /// Other coefficients of a block of a progressive picture, for the first time. Blocks without any are counted.
    fn band(&mut self, table: &Huffman, band: Band, blank: &mut u32, block: &mut [i16; 64]) -> Option<()> {
        if *blank > 0 {
            *blank -= 1;
            return Some(());
        }
        let mut index = band.first;
        while index <= band.last {
            let value = self.value(table)?;
            let (run, len) = (value >> 4, value & 15);
            if len == 0 && run < 15 {
                *blank = (1 << run) + self.number(run)? - 1;
                break;
            }
            index += usize::from(run);
            if len > 0 {
                let place = usize::from(*ZIGZAG.get(index)?);
                block[place] = self.receive(len)?.wrapping_shl(band.shift.into()) as i16;
            }
            index += 1;
        }
        Some(())
    }

    /// One more bit of them: those that are not zero get it in between, others become plus or minus one.
    fn finer_band(
        &mut self,
        table: &Huffman,
        band: Band,
        blank: &mut u32,
        block: &mut [i16; 64],
    ) -> Option<()> {
        let one = 1i16 << band.shift;
        let mut index = band.first;
        while *blank == 0 && index <= band.last {
            let value = self.value(table)?;
            let (mut run, len) = (value >> 4, value & 15);
            let mut new = 0;
            if len > 0 {
                new = if self.bit()? == 1 { one } else { -one };
            } else if run < 15 {
                *blank = (1 << run) + self.number(run)?;
                break;
            }
            while index <= band.last {
                let place = &mut block[usize::from(ZIGZAG[index])];
                index += 1;
                if *place != 0 {
                    self.refine(place, one)?;
                } else if run == 0 {
                    *place = new;
                    break;
                } else {
                    run -= 1;
                }
            }
        }
        if *blank > 0 {
            while index <= band.last {
                let place = &mut block[usize::from(ZIGZAG[index])];
                index += 1;
                if *place != 0 {
                    self.refine(place, one)?;
                }
            }
            *blank -= 1;
        }
        Some(())
    }

    fn refine(&mut self, value: &mut i16, one: i16) -> Option<()> {
        if self.bit()? == 1 && *value & one == 0 {
            *value = value.wrapping_add(if *value > 0 { one } else { -one });
        }
        Some(())
    }

    /// Goes to the next restart marker.
    fn restart(&mut self) -> Option<()> {
        self.count = 0;
        while self.bytes.get(self.at) == Some(&0xff) && self.bytes.get(self.at + 1) == Some(&0xff) {
            self.at += 1;
        }
        match self.bytes.get(self.at..self.at + 2)? {
            [0xff, 0xd0..=0xd7] => {
                self.at += 2;
                Some(())
            }
            _ => None,
        }
    }
}

fn word(bytes: &[u8]) -> Option<usize> {
    Some(usize::from(u16::from_be_bytes(*bytes.first_chunk()?)))
}

impl Decoder {
    fn segments(&mut self, file: &[u8]) -> Option<Decoded> {
        let mut at = 2;
        let mut scans = 0;
        loop {
            // After a scan, stuffed zeros and restarts may be left.
            while *file.get(at)? != 0xff || matches!(*file.get(at + 1)?, 0xff | 0 | 0xd0..=0xd7) {
                at += 1;
            }
            let marker = file[at + 1];
            if marker == 0xd9 && scans > 0 {
                self.transform()?;
                return self.picture();
            }
            let len = word(file.get(at + 2..)?)?;
            let body = file.get(at + 4..at + 2 + len)?;
            at += 2 + len;
            match marker {
                0xdb => self.quantisation_tables(body)?,
                0xc4 => self.huffman_tables(body)?,
                0xc0..=0xc2 => {
                    self.is_progressive = marker == 0xc2;
                    self.frame(body)?;
                }
                0xdd => self.restart_interval = word(body)?,
                0xe0 => self.has_jfif |= body.starts_with(b"JFIF\0"),
                0xee if body.starts_with(b"Adobe") => self.adobe = body.get(11).copied(),
                0xda => {
                    scans += 1;
                    at += self.scan(body, file.get(at..)?)?;
                    let is_last = !self.is_progressive && usize::from(body[0]) == self.components.len();
                    // A hostile file has more scans than a picture needs.
                    if scans > MAX_SCANS {
                        return None;
                    }
                    if is_last {
                        self.transform()?;
                        return self.picture();
                    }
                }
                0xe1..=0xef | 0xfe => {}
                // Arithmetic, lossless, several frames.
                _ => return None,
            }
        }
    }

    fn quantisation_tables(&mut self, mut body: &[u8]) -> Option<()> {
        while let Some((&head, rest)) = body.split_first() {
            let is_wide = head >> 4 == 1;
            let mut table = [0; 64];
            let size = if is_wide { 2 } else { 1 };
            for (index, &place) in ZIGZAG.iter().enumerate() {
                let value = rest.get(index * size..)?;
                table[usize::from(place)] =
                    if is_wide { word(value)? as i32 } else { i32::from(*value.first()?) };
            }
            *self.quantisation.get_mut(usize::from(head & 15))? = Some(table);
            body = rest.get(64 * size..)?;
        }
        Some(())
    }

    fn huffman_tables(&mut self, mut body: &[u8]) -> Option<()> {
        while let Some((&head, rest)) = body.split_first() {
            let counts = rest.get(..16)?;
            let total = counts.iter().map(|&count| usize::from(count)).sum::<usize>();
            let values = rest.get(16..16 + total)?;
            let class = self.huffman.get_mut(usize::from(head >> 4))?;
            *class.get_mut(usize::from(head & 15))? = Some(Huffman::new(counts, values));
            body = &rest[16 + total..];
        }
        Some(())
    }

    fn frame(&mut self, body: &[u8]) -> Option<()> {
        let [8, _, _, _, _, count @ (1 | 3), specs @ ..] = body else { return None };
        (self.height, self.width) = (word(&body[1..])?, word(&body[3..])?);
        if self.width == 0 || self.height == 0 || !self.components.is_empty() {
            return None;
        }
        if self.width as u64 * self.height as u64 > self.max_pixels {
            return None;
        }
        for spec in specs.get(..usize::from(*count) * 3)?.chunks_exact(3) {
            let (horizontal, vertical) = (usize::from(spec[1] >> 4), usize::from(spec[1] & 15));
            if !(1..=4).contains(&horizontal) || !(1..=4).contains(&vertical) {
                return None;
            }
            self.components.push(Component {
                id: spec[0],
                horizontal,
                vertical,
                table: usize::from(spec[2]),
                blocks: Vec::new(),
                samples: Vec::new(),
                stride: 0,
                rows: 0,
            });
        }
        if let [only] = &mut self.components[..] {
            // Without others to share a unit with, blocks simply follow each other.
            (only.horizontal, only.vertical) = (1, 1);
        }
        let (most_horizontal, most_vertical) = self.factors();
        let units_across = self.width.div_ceil(8 * most_horizontal);
        let units_down = self.height.div_ceil(8 * most_vertical);
        for component in &mut self.components {
            component.stride = units_across * component.horizontal * 8;
            component.rows = units_down * component.vertical * 8;
            component.blocks = vec![[0; 64]; component.stride / 8 * (component.rows / 8)];
        }
        Some(())
    }

    /// The largest factors of all components.
    fn factors(&self) -> (usize, usize) {
        let most = |factor: fn(&Component) -> usize| self.components.iter().map(factor).max().unwrap_or(1);
        (most(|component| component.horizontal), most(|component| component.vertical))
    }

    /// Reads one scan into the coefficients of its components. Returns where it ends.
    fn scan(&mut self, head: &[u8], bytes: &[u8]) -> Option<usize> {
        let count = usize::from(*head.first()?);
        let specs = head.get(1..1 + 2 * count)?;
        let &[first, last, precision, ..] = head.get(1 + 2 * count..)? else { return None };
        let band = if self.is_progressive {
            let (first, last) = (usize::from(first), usize::from(last));
            if first > last || last > 63 || (first == 0 && last > 0) || (first > 0 && count > 1) {
                return None;
            }
            Band { first, last, before: precision >> 4, shift: precision & 15 }
        } else {
            Band { first: 0, last: 63, before: 0, shift: 0 }
        };
        if band.shift > 13 {
            return None;
        }
        // The components of the scan: their numbers, and those of their tables.
        let mut parts = Vec::new();
        for spec in specs.chunks_exact(2) {
            let index = self.components.iter().position(|component| component.id == spec[0])?;
            parts.push((index, usize::from(spec[1] >> 4), usize::from(spec[1] & 15)));
        }
        let (most_horizontal, most_vertical) = self.factors();
        let (across, down) = match parts[..] {
            [] => return None,
            // Alone in a scan, a component has only the blocks that it needs.
            [(index, ..)] => {
                let component = &self.components[index];
                let width = (self.width * component.horizontal).div_ceil(most_horizontal);
                let height = (self.height * component.vertical).div_ceil(most_vertical);
                (width.div_ceil(8), height.div_ceil(8))
            }
            _ => (self.width.div_ceil(8 * most_horizontal), self.height.div_ceil(8 * most_vertical)),
        };
        let mut bits = Bits { bytes, at: 0, buffer: 0, count: 0 };
        let mut last_dc = vec![0i32; parts.len()];
        let mut blank_blocks = 0;
        for unit in 0..across * down {
            if self.restart_interval > 0 && unit > 0 && unit % self.restart_interval == 0 {
                bits.restart()?;
                last_dc.fill(0);
                blank_blocks = 0;
            }
            let (column, row) = (unit % across, unit / across);
            for (number, &(index, dc, ac)) in parts.iter().enumerate() {
                let component = &mut self.components[index];
                let dc = self.huffman[0].get(dc)?.as_ref();
                let ac = self.huffman[1].get(ac)?.as_ref();
                let (wide, high) =
                    if parts.len() == 1 { (1, 1) } else { (component.horizontal, component.vertical) };
                for block in 0..wide * high {
                    let (x, y) = (column * wide + block % wide, row * high + block / wide);
                    let block = component.blocks.get_mut(y * component.stride / 8 + x)?;
                    match self.is_progressive {
                        false => bits.whole_block(dc?, ac?, &mut last_dc[number], block)?,
                        true if band.first == 0 => bits.first_value(dc, band, &mut last_dc[number], block)?,
                        true if band.before == 0 => bits.band(ac?, band, &mut blank_blocks, block)?,
                        true => bits.finer_band(ac?, band, &mut blank_blocks, block)?,
                    }
                }
            }
        }
        Some(bits.at)
    }

    /// Makes samples of all coefficients.
    fn transform(&mut self) -> Option<()> {
        for component in &mut self.components {
            let quantisation = self.quantisation.get(component.table)?.as_ref()?;
            component.samples = vec![0; component.stride * component.rows];
            let across = component.stride / 8;
            for (index, block) in component.blocks.iter().enumerate() {
                let values = std::array::from_fn(|at| i32::from(block[at]).wrapping_mul(quantisation[at]));
                let start = index / across * 8 * component.stride + index % across * 8;
                transform(&values, &mut component.samples[start..], component.stride);
            }
            component.blocks = Vec::new();
        }
        Some(())
    }

    fn picture(&self) -> Option<Decoded> {
        let (width, height) = (self.width, self.height);
        let planes: Option<Vec<Vec<u8>>> =
            self.components.iter().map(|component| self.plane(component)).collect();
        let planes = planes?;
        let mut rgb = Vec::with_capacity(3 * width * height);
        let [luma, others @ ..] = &planes[..] else { return None };
        let [blue, red] = others else {
            luma.iter().for_each(|&grey| rgb.extend([grey; 3]));
            return Some(Decoded { width, height, is_grey: true, rgb });
        };
        let ids: Vec<u8> = self.components.iter().map(|component| component.id).collect();
        let is_rgb = match self.adobe {
            _ if self.has_jfif => false,
            Some(transform) => transform == 0,
            None => ids == *b"RGB",
        };
        for ((&y, &cb), &cr) in luma.iter().zip(blue).zip(red) {
            rgb.extend(if is_rgb { [y, cb, cr] } else { to_rgb(y, cb, cr) });
        }
        Some(Decoded { width, height, is_grey: false, rgb })
    }

    /// A component in the size of the picture.
    fn plane(&self, component: &Component) -> Option<Vec<u8>> {
        let (most_horizontal, most_vertical) = self.factors();
        let across = most_horizontal.checked_div(component.horizontal)?;
        let down = most_vertical.checked_div(component.vertical)?;
        if across * component.horizontal != most_horizontal || down * component.vertical != most_vertical {
            return None;
        }
        let (width, height) = (self.width, self.height);
        // What of the component belongs to the picture; blocks may reach beyond.
        let own_width = (width * component.horizontal).div_ceil(most_horizontal);
        let own_height = (height * component.vertical).div_ceil(most_vertical);
        let row = |y: usize| &component.samples[y * component.stride..][..own_width];
        let mut plane = Vec::with_capacity(width * height);
        // Smooth enlargement needs neighbours.
        let is_smooth = own_width > 2;
        for y in 0..height {
            let own = row((y / down).min(own_height - 1));
            match (across, down) {
                (2, 1) if is_smooth => plane.extend(&wider(own)[..width]),
                (2, 2) if is_smooth => {
                    let above = (y / 2).min(own_height - 1);
                    // The nearer neighbour row counts a quarter. libjpeg repeats the rows at the edges.
                    let other =
                        if y % 2 == 0 { above.saturating_sub(1) } else { (above + 1).min(own_height - 1) };
                    plane.extend(&wider_of_two(own, row(other))[..width]);
                }
                _ => plane.extend((0..width).map(|x| own[(x / across).min(own_width - 1)])),
            }
        }
        Some(plane)
    }
}

const BITS: u32 = 13;
const PASS_BITS: u32 = 2;

/// The transform of eight values: even and odd parts, scaled by 2^13. Returns what is added and subtracted in pairs.
fn butterflies(input: [i32; 8]) -> ([i32; 4], [i32; 4]) {
    let mul = i32::wrapping_mul;
    let add = i32::wrapping_add;
    let z1 = mul(add(input[2], input[6]), 4433);
    let (t2, t3) = (add(z1, mul(input[6], -15137)), add(z1, mul(input[2], 6270)));
    let t0 = add(input[0], input[4]).wrapping_shl(BITS);
    let t1 = input[0].wrapping_sub(input[4]).wrapping_shl(BITS);
    let even = [add(t0, t3), add(t1, t2), t1.wrapping_sub(t2), t0.wrapping_sub(t3)];

    let [o0, o1, o2, o3] = [input[7], input[5], input[3], input[1]];
    let (z1, z2, z3, z4) = (add(o0, o3), add(o1, o2), add(o0, o2), add(o1, o3));
    let z5 = mul(add(z3, z4), 9633);
    let (z1, z2) = (mul(z1, -7373), mul(z2, -20995));
    let (z3, z4) = (add(mul(z3, -16069), z5), add(mul(z4, -3196), z5));
    let odd = [
        add(mul(o3, 12299), add(z1, z4)),
        add(mul(o2, 25172), add(z2, z3)),
        add(mul(o1, 16819), add(z2, z4)),
        add(mul(o0, 2446), add(z1, z3)),
    ];
    (even, odd)
}

/// The accurate integer transform back to samples.
fn transform(block: &[i32; 64], out: &mut [u8], stride: usize) {
    let rounded = |value: i32, shift: u32| value.wrapping_add(1 << (shift - 1)) >> shift;
    let mut work = [0i32; 64];
    for column in 0..8 {
        let (even, odd) = butterflies(std::array::from_fn(|row| block[row * 8 + column]));
        for pair in 0..4 {
            let (sum, difference) = (even[pair].wrapping_add(odd[pair]), even[pair].wrapping_sub(odd[pair]));
            work[pair * 8 + column] = rounded(sum, BITS - PASS_BITS);
            work[(7 - pair) * 8 + column] = rounded(difference, BITS - PASS_BITS);
        }
    }
    for row in 0..8 {
        let (even, odd) = butterflies(std::array::from_fn(|column| work[row * 8 + column]));
        let line = &mut out[row * stride..][..8];
        for pair in 0..4 {
            let (sum, difference) = (even[pair].wrapping_add(odd[pair]), even[pair].wrapping_sub(odd[pair]));
            let sample = |value: i32| (rounded(value, BITS + PASS_BITS + 3) + 128).clamp(0, 255) as u8;
            line[pair] = sample(sum);
            line[7 - pair] = sample(difference);
        }
    }
}

/// Twice as many samples: each is three quarters of the nearer one and a quarter of the other.
fn wider(row: &[u8]) -> Vec<u8> {
    let at = |index: usize| u32::from(row[index]);
    let last = row.len() - 1;
    let mut wide = Vec::with_capacity(2 * row.len());
    for index in 0..row.len() {
        let left = if index == 0 { at(0) } else { (3 * at(index) + at(index - 1) + 1) >> 2 };
        let right = if index == last { at(last) } else { (3 * at(index) + at(index + 1) + 2) >> 2 };
        wide.extend([left as u8, right as u8]);
    }
    wide
}

/// The same between two rows, the first of which is nearer.
fn wider_of_two(near: &[u8], far: &[u8]) -> Vec<u8> {
    let at = |index: usize| 3 * u32::from(near[index]) + u32::from(far[index]);
    let last = near.len() - 1;
    let mut wide = Vec::with_capacity(2 * near.len());
    for index in 0..near.len() {
        let left = if index == 0 { (4 * at(0) + 8) >> 4 } else { (3 * at(index) + at(index - 1) + 8) >> 4 };
        let right =
            if index == last { (4 * at(last) + 7) >> 4 } else { (3 * at(index) + at(index + 1) + 7) >> 4 };
        wide.extend([left as u8, right as u8]);
    }
    wide
}

/// Colour by the tables of libjpeg: factors of 2^16, green rounded once for both.
fn to_rgb(y: u8, cb: u8, cr: u8) -> [u8; 3] {
    let (y, cb, cr) = (i32::from(y), i32::from(cb) - 128, i32::from(cr) - 128);
    const HALF: i32 = 1 << 15;
    let red = y + ((91881 * cr + HALF) >> 16);
    let green = y + ((-22554 * cb + HALF - 46802 * cr) >> 16);
    let blue = y + ((116130 * cb + HALF) >> 16);
    [red, green, blue].map(|value| value.clamp(0, 255) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_those_of_libjpeg() {
        let files = tempo_testing::files_with_extension(&tempo_testing::fixtures().join("pictures"), "jpg");
        assert!(files.len() >= 5);
        for path in files {
            let decoded = decode(&tempo_testing::bytes(&path), 1 << 20).expect("a picture of a known kind");
            let mut picture = format!("P6\n{} {}\n255\n", decoded.width, decoded.height).into_bytes();
            picture.extend(decoded.rgb);
            assert!(
                picture == tempo_testing::bytes(&path.with_extension("ppm")),
                "{} differs",
                path.display()
            );
        }
    }

    #[test]
    fn damaged_pictures_are_left_to_others() {
        for path in tempo_testing::files_with_extension(&tempo_testing::fixtures().join("pictures"), "jpg") {
            let file = tempo_testing::bytes(&path);
            for end in 0..file.len() {
                decode(&file[..end], 1 << 20);
                let mut damaged = file.clone();
                damaged[end] ^= 0x5a;
                decode(&damaged, 1 << 20);
            }
            assert!(decode(&file, 4).is_none());
        }
    }
}
