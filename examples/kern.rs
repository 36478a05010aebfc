use hashline::text::stripped::*;
use std::time::Instant;
fn main() {
    let mut text = Vec::new();
    let mut d: Vec<_> = Vec::new();
    for e in walk("/root/.cargo/registry/src") {
        d.push(e);
        if d.len() > 2000 {
            break;
        }
    }
    for p in d {
        if let Ok(b) = std::fs::read(&p) {
            if b.is_ascii() {
                text.extend(b);
            }
        }
        if text.len() > 10_000_000 {
            break;
        }
    }
    text.truncate(10_000_000);
    println!("{} bytes {} lines", text.len(), text.iter().filter(|b| **b == b'\n').count());
    for _ in 0..3 {
        let mut best = f64::MAX;
        let mut sum = 0u32;
        for _ in 0..20 {
            let t = Instant::now();
            each_line(&text, Folding::None, |l| sum ^= l.hash);
            best = best.min(t.elapsed().as_secs_f64() * 1e3);
        }
        println!("each_line {best:.2} ms {sum}");
        let mut best = f64::MAX;
        for _ in 0..20 {
            let t = Instant::now();
            let o = hashline::anchor::print::print_hex(&text, 1, Folding::None);
            best = best.min(t.elapsed().as_secs_f64() * 1e3);
            std::hint::black_box(o.len());
        }
        println!("print {best:.2} ms");
        let small = &text[..20000];
        let mut best = f64::MAX;
        for _ in 0..2000 {
            let t = Instant::now();
            let o = hashline::anchor::print::print_hex(small, 1, Folding::None);
            best = best.min(t.elapsed().as_secs_f64() * 1e6);
            std::hint::black_box(o.len());
        }
        println!(
            "print 20k ({} lines) {best:.2} us",
            small.iter().filter(|b| **b == b'\n').count()
        );
        let mut best = f64::MAX;
        let mut o = vec![0u8; 16400];
        for _ in 0..20 {
            let t = Instant::now();
            for c in text.chunks(16384) {
                sum ^= hashline::text::squeeze::squeeze(
                    c,
                    hashline::text::squeeze::Newlines::Keep,
                    &mut o,
                ) as u32;
            }
            best = best.min(t.elapsed().as_secs_f64() * 1e3);
        }
        println!("squeeze {best:.2} ms");
        let mut best = f64::MAX;
        for _ in 0..20 {
            let t = Instant::now();
            sum ^= hashline::text::lines::newlines(&text).fold(0, |a, b| a ^ b) as u32;
            best = best.min(t.elapsed().as_secs_f64() * 1e3);
        }
        println!("newlines {best:.2} ms");
        let mut best = f64::MAX;
        let mut v = vec![];
        for _ in 0..20 {
            let t = Instant::now();
            for c in text.chunks(16384) {
                v.clear();
                hashline::text::newlines::positions(c, &mut v);
                sum ^= v.len() as u32;
            }
            best = best.min(t.elapsed().as_secs_f64() * 1e3);
        }
        println!("positions {best:.2} ms");
        let mut best = f64::MAX;
        for _ in 0..20 {
            let t = Instant::now();
            let mut s = 0;
            for e in hashline::text::lines::newlines(&text[..9999900]) {
                sum ^= hashline::text::hash::xxh32_within(&text, s..e);
                s = e + 1;
            }
            best = best.min(t.elapsed().as_secs_f64() * 1e3);
        }
        println!("newlines + within {best:.2} ms");
        let mut best = f64::MAX;
        for _ in 0..20 {
            let t = Instant::now();
            let n = hashline::text::lines::split(&text).map(|l| l.len()).max();
            best = best.min(t.elapsed().as_secs_f64() * 1e3);
            std::hint::black_box(n);
        }
        println!("split {best:.2} ms");
        let mut best = f64::MAX;
        for _ in 0..20 {
            let t = Instant::now();
            for l in hashline::text::lines::split(&text) {
                sum ^= hashline::text::hash::xxh32(l, 0);
            }
            best = best.min(t.elapsed().as_secs_f64() * 1e3);
        }
        println!("split+xxh32 raw {best:.2} ms {sum}");
    }
}
fn walk(p: &str) -> Vec<String> {
    let mut v = vec![];
    let mut st = vec![std::path::PathBuf::from(p)];
    while let Some(d) = st.pop() {
        if let Ok(rd) = std::fs::read_dir(d) {
            for e in rd.flatten() {
                let p = e.path();
                if p.is_dir() {
                    st.push(p)
                } else if p.extension().is_some_and(|x| x == "rs") {
                    v.push(p.to_string_lossy().into())
                }
            }
        }
    }
    v.sort();
    v
}
#[allow(dead_code)]
fn x() {}
