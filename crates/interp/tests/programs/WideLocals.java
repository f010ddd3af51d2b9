/** More than 256 local variables (wide instructions), large constants, a long method with far branches. */
public class WideLocals {
    static int ints(int seed) {
        int v0 = seed * 0 + 0, v1 = seed * 1 + 1, v2 = seed * 2 + 2, v3 = seed * 3 + 3, v4 = seed * 4 + 4, v5 = seed * 5 + 5, v6 = seed * 6 + 6, v7 = seed * 7 + 0;
        int v8 = seed * 8 + 1, v9 = seed * 9 + 2, v10 = seed * 10 + 3, v11 = seed * 11 + 4, v12 = seed * 12 + 5, v13 = seed * 13 + 6, v14 = seed * 14 + 0, v15 = seed * 15 + 1;
        int v16 = seed * 16 + 2, v17 = seed * 17 + 3, v18 = seed * 18 + 4, v19 = seed * 19 + 5, v20 = seed * 20 + 6, v21 = seed * 21 + 0, v22 = seed * 22 + 1, v23 = seed * 23 + 2;
        int v24 = seed * 24 + 3, v25 = seed * 25 + 4, v26 = seed * 26 + 5, v27 = seed * 27 + 6, v28 = seed * 28 + 0, v29 = seed * 29 + 1, v30 = seed * 30 + 2, v31 = seed * 31 + 3;
        int v32 = seed * 32 + 4, v33 = seed * 33 + 5, v34 = seed * 34 + 6, v35 = seed * 35 + 0, v36 = seed * 36 + 1, v37 = seed * 37 + 2, v38 = seed * 38 + 3, v39 = seed * 39 + 4;
        int v40 = seed * 40 + 5, v41 = seed * 41 + 6, v42 = seed * 42 + 0, v43 = seed * 43 + 1, v44 = seed * 44 + 2, v45 = seed * 45 + 3, v46 = seed * 46 + 4, v47 = seed * 47 + 5;
        int v48 = seed * 48 + 6, v49 = seed * 49 + 0, v50 = seed * 50 + 1, v51 = seed * 51 + 2, v52 = seed * 52 + 3, v53 = seed * 53 + 4, v54 = seed * 54 + 5, v55 = seed * 55 + 6;
        int v56 = seed * 56 + 0, v57 = seed * 57 + 1, v58 = seed * 58 + 2, v59 = seed * 59 + 3, v60 = seed * 60 + 4, v61 = seed * 61 + 5, v62 = seed * 62 + 6, v63 = seed * 63 + 0;
        int v64 = seed * 64 + 1, v65 = seed * 65 + 2, v66 = seed * 66 + 3, v67 = seed * 67 + 4, v68 = seed * 68 + 5, v69 = seed * 69 + 6, v70 = seed * 70 + 0, v71 = seed * 71 + 1;
        int v72 = seed * 72 + 2, v73 = seed * 73 + 3, v74 = seed * 74 + 4, v75 = seed * 75 + 5, v76 = seed * 76 + 6, v77 = seed * 77 + 0, v78 = seed * 78 + 1, v79 = seed * 79 + 2;
        int v80 = seed * 80 + 3, v81 = seed * 81 + 4, v82 = seed * 82 + 5, v83 = seed * 83 + 6, v84 = seed * 84 + 0, v85 = seed * 85 + 1, v86 = seed * 86 + 2, v87 = seed * 87 + 3;
        int v88 = seed * 88 + 4, v89 = seed * 89 + 5, v90 = seed * 90 + 6, v91 = seed * 91 + 0, v92 = seed * 92 + 1, v93 = seed * 93 + 2, v94 = seed * 94 + 3, v95 = seed * 95 + 4;
        int v96 = seed * 96 + 5, v97 = seed * 97 + 6, v98 = seed * 98 + 0, v99 = seed * 99 + 1, v100 = seed * 100 + 2, v101 = seed * 101 + 3, v102 = seed * 102 + 4, v103 = seed * 103 + 5;
        int v104 = seed * 104 + 6, v105 = seed * 105 + 0, v106 = seed * 106 + 1, v107 = seed * 107 + 2, v108 = seed * 108 + 3, v109 = seed * 109 + 4, v110 = seed * 110 + 5, v111 = seed * 111 + 6;
        int v112 = seed * 112 + 0, v113 = seed * 113 + 1, v114 = seed * 114 + 2, v115 = seed * 115 + 3, v116 = seed * 116 + 4, v117 = seed * 117 + 5, v118 = seed * 118 + 6, v119 = seed * 119 + 0;
        int v120 = seed * 120 + 1, v121 = seed * 121 + 2, v122 = seed * 122 + 3, v123 = seed * 123 + 4, v124 = seed * 124 + 5, v125 = seed * 125 + 6, v126 = seed * 126 + 0, v127 = seed * 127 + 1;
        int v128 = seed * 128 + 2, v129 = seed * 129 + 3, v130 = seed * 130 + 4, v131 = seed * 131 + 5, v132 = seed * 132 + 6, v133 = seed * 133 + 0, v134 = seed * 134 + 1, v135 = seed * 135 + 2;
        int v136 = seed * 136 + 3, v137 = seed * 137 + 4, v138 = seed * 138 + 5, v139 = seed * 139 + 6, v140 = seed * 140 + 0, v141 = seed * 141 + 1, v142 = seed * 142 + 2, v143 = seed * 143 + 3;
        int v144 = seed * 144 + 4, v145 = seed * 145 + 5, v146 = seed * 146 + 6, v147 = seed * 147 + 0, v148 = seed * 148 + 1, v149 = seed * 149 + 2, v150 = seed * 150 + 3, v151 = seed * 151 + 4;
        int v152 = seed * 152 + 5, v153 = seed * 153 + 6, v154 = seed * 154 + 0, v155 = seed * 155 + 1, v156 = seed * 156 + 2, v157 = seed * 157 + 3, v158 = seed * 158 + 4, v159 = seed * 159 + 5;
        int v160 = seed * 160 + 6, v161 = seed * 161 + 0, v162 = seed * 162 + 1, v163 = seed * 163 + 2, v164 = seed * 164 + 3, v165 = seed * 165 + 4, v166 = seed * 166 + 5, v167 = seed * 167 + 6;
        int v168 = seed * 168 + 0, v169 = seed * 169 + 1, v170 = seed * 170 + 2, v171 = seed * 171 + 3, v172 = seed * 172 + 4, v173 = seed * 173 + 5, v174 = seed * 174 + 6, v175 = seed * 175 + 0;
        int v176 = seed * 176 + 1, v177 = seed * 177 + 2, v178 = seed * 178 + 3, v179 = seed * 179 + 4, v180 = seed * 180 + 5, v181 = seed * 181 + 6, v182 = seed * 182 + 0, v183 = seed * 183 + 1;
        int v184 = seed * 184 + 2, v185 = seed * 185 + 3, v186 = seed * 186 + 4, v187 = seed * 187 + 5, v188 = seed * 188 + 6, v189 = seed * 189 + 0, v190 = seed * 190 + 1, v191 = seed * 191 + 2;
        int v192 = seed * 192 + 3, v193 = seed * 193 + 4, v194 = seed * 194 + 5, v195 = seed * 195 + 6, v196 = seed * 196 + 0, v197 = seed * 197 + 1, v198 = seed * 198 + 2, v199 = seed * 199 + 3;
        int v200 = seed * 200 + 4, v201 = seed * 201 + 5, v202 = seed * 202 + 6, v203 = seed * 203 + 0, v204 = seed * 204 + 1, v205 = seed * 205 + 2, v206 = seed * 206 + 3, v207 = seed * 207 + 4;
        int v208 = seed * 208 + 5, v209 = seed * 209 + 6, v210 = seed * 210 + 0, v211 = seed * 211 + 1, v212 = seed * 212 + 2, v213 = seed * 213 + 3, v214 = seed * 214 + 4, v215 = seed * 215 + 5;
        int v216 = seed * 216 + 6, v217 = seed * 217 + 0, v218 = seed * 218 + 1, v219 = seed * 219 + 2, v220 = seed * 220 + 3, v221 = seed * 221 + 4, v222 = seed * 222 + 5, v223 = seed * 223 + 6;
        int v224 = seed * 224 + 0, v225 = seed * 225 + 1, v226 = seed * 226 + 2, v227 = seed * 227 + 3, v228 = seed * 228 + 4, v229 = seed * 229 + 5, v230 = seed * 230 + 6, v231 = seed * 231 + 0;
        int v232 = seed * 232 + 1, v233 = seed * 233 + 2, v234 = seed * 234 + 3, v235 = seed * 235 + 4, v236 = seed * 236 + 5, v237 = seed * 237 + 6, v238 = seed * 238 + 0, v239 = seed * 239 + 1;
        int v240 = seed * 240 + 2, v241 = seed * 241 + 3, v242 = seed * 242 + 4, v243 = seed * 243 + 5, v244 = seed * 244 + 6, v245 = seed * 245 + 0, v246 = seed * 246 + 1, v247 = seed * 247 + 2;
        int v248 = seed * 248 + 3, v249 = seed * 249 + 4, v250 = seed * 250 + 5, v251 = seed * 251 + 6, v252 = seed * 252 + 0, v253 = seed * 253 + 1, v254 = seed * 254 + 2, v255 = seed * 255 + 3;
        int v256 = seed * 256 + 4, v257 = seed * 257 + 5, v258 = seed * 258 + 6, v259 = seed * 259 + 0;
        Object text = "t" + seed;
        float f = seed / 3f;
        v259++;
        v258 += 1000;
        v257 -= 30000;
        for (int loop = 0; loop < 3; loop++) {
            v259 += loop;
            f += 0.5f;
        }
        System.out.println(text + " " + f);
        int sum = 0;
        sum += v0 + v3 + v6 + v9 + v12 + v15 + v18 + v21 + v24 + v27 + v30 + v33 + v36 + v39 + v42;
        sum += v45 + v48 + v51 + v54 + v57 + v60 + v63 + v66 + v69 + v72 + v75 + v78 + v81 + v84 + v87;
        sum += v90 + v93 + v96 + v99 + v102 + v105 + v108 + v111 + v114 + v117 + v120 + v123 + v126 + v129 + v132;
        sum += v135 + v138 + v141 + v144 + v147 + v150 + v153 + v156 + v159 + v162 + v165 + v168 + v171 + v174 + v177;
        sum += v180 + v183 + v186 + v189 + v192 + v195 + v198 + v201 + v204 + v207 + v210 + v213 + v216 + v219 + v222;
        sum += v225 + v228 + v231 + v234 + v237 + v240 + v243 + v246 + v249 + v252 + v255 + v258;
        return sum + v257 + v258 + v259;
    }

    static String longs(long seed) {
        long w0 = seed ^ 0L, w1 = seed ^ 1L, w2 = seed ^ 2L, w3 = seed ^ 3L, w4 = seed ^ 4L, w5 = seed ^ 5L, w6 = seed ^ 6L, w7 = seed ^ 7L;
        long w8 = seed ^ 8L, w9 = seed ^ 9L, w10 = seed ^ 10L, w11 = seed ^ 11L, w12 = seed ^ 12L, w13 = seed ^ 13L, w14 = seed ^ 14L, w15 = seed ^ 15L;
        long w16 = seed ^ 16L, w17 = seed ^ 17L, w18 = seed ^ 18L, w19 = seed ^ 19L, w20 = seed ^ 20L, w21 = seed ^ 21L, w22 = seed ^ 22L, w23 = seed ^ 23L;
        long w24 = seed ^ 24L, w25 = seed ^ 25L, w26 = seed ^ 26L, w27 = seed ^ 27L, w28 = seed ^ 28L, w29 = seed ^ 29L, w30 = seed ^ 30L, w31 = seed ^ 31L;
        long w32 = seed ^ 32L, w33 = seed ^ 33L, w34 = seed ^ 34L, w35 = seed ^ 35L, w36 = seed ^ 36L, w37 = seed ^ 37L, w38 = seed ^ 38L, w39 = seed ^ 39L;
        long w40 = seed ^ 40L, w41 = seed ^ 41L, w42 = seed ^ 42L, w43 = seed ^ 43L, w44 = seed ^ 44L, w45 = seed ^ 45L, w46 = seed ^ 46L, w47 = seed ^ 47L;
        long w48 = seed ^ 48L, w49 = seed ^ 49L, w50 = seed ^ 50L, w51 = seed ^ 51L, w52 = seed ^ 52L, w53 = seed ^ 53L, w54 = seed ^ 54L, w55 = seed ^ 55L;
        long w56 = seed ^ 56L, w57 = seed ^ 57L, w58 = seed ^ 58L, w59 = seed ^ 59L, w60 = seed ^ 60L, w61 = seed ^ 61L, w62 = seed ^ 62L, w63 = seed ^ 63L;
        long w64 = seed ^ 64L, w65 = seed ^ 65L, w66 = seed ^ 66L, w67 = seed ^ 67L, w68 = seed ^ 68L, w69 = seed ^ 69L, w70 = seed ^ 70L, w71 = seed ^ 71L;
        long w72 = seed ^ 72L, w73 = seed ^ 73L, w74 = seed ^ 74L, w75 = seed ^ 75L, w76 = seed ^ 76L, w77 = seed ^ 77L, w78 = seed ^ 78L, w79 = seed ^ 79L;
        long w80 = seed ^ 80L, w81 = seed ^ 81L, w82 = seed ^ 82L, w83 = seed ^ 83L, w84 = seed ^ 84L, w85 = seed ^ 85L, w86 = seed ^ 86L, w87 = seed ^ 87L;
        long w88 = seed ^ 88L, w89 = seed ^ 89L, w90 = seed ^ 90L, w91 = seed ^ 91L, w92 = seed ^ 92L, w93 = seed ^ 93L, w94 = seed ^ 94L, w95 = seed ^ 95L;
        long w96 = seed ^ 96L, w97 = seed ^ 97L, w98 = seed ^ 98L, w99 = seed ^ 99L, w100 = seed ^ 100L, w101 = seed ^ 101L, w102 = seed ^ 102L, w103 = seed ^ 103L;
        long w104 = seed ^ 104L, w105 = seed ^ 105L, w106 = seed ^ 106L, w107 = seed ^ 107L, w108 = seed ^ 108L, w109 = seed ^ 109L, w110 = seed ^ 110L, w111 = seed ^ 111L;
        long w112 = seed ^ 112L, w113 = seed ^ 113L, w114 = seed ^ 114L, w115 = seed ^ 115L, w116 = seed ^ 116L, w117 = seed ^ 117L, w118 = seed ^ 118L, w119 = seed ^ 119L;
        long w120 = seed ^ 120L, w121 = seed ^ 121L, w122 = seed ^ 122L, w123 = seed ^ 123L, w124 = seed ^ 124L, w125 = seed ^ 125L, w126 = seed ^ 126L, w127 = seed ^ 127L;
        long w128 = seed ^ 128L, w129 = seed ^ 129L;
        double d = seed * 1.5;
        w129 <<= 3;
        d -= 1;
        return (w0 + w129 + w64) + " " + d;
    }

    static int far(int n) {
        int r = 0;
        for (int i = 0; i < 3; i++) {
            switch (n) {
                case 0: r += 0; r ^= 0; if (r > 0) r -= 1; else r = r * 3 + i;
                case 1: r += 1; r ^= 7919; if (r > 100000) r -= 14; else r = r * 4 + i; break;
                case 2: r += 4; r ^= 15838; if (r > 200000) r -= 27; else r = r * 5 + i; break;
                case 3: r += 9; r ^= 23757; if (r > 300000) r -= 40; else r = r * 6 + i; break;
                case 4: r += 16; r ^= 31676; if (r > 400000) r -= 53; else r = r * 7 + i;
                case 5: r += 25; r ^= 39595; if (r > 500000) r -= 66; else r = r * 8 + i; break;
                case 6: r += 36; r ^= 47514; if (r > 600000) r -= 79; else r = r * 9 + i; break;
                case 7: r += 49; r ^= 55433; if (r > 700000) r -= 92; else r = r * 10 + i; break;
                case 8: r += 64; r ^= 63352; if (r > 800000) r -= 105; else r = r * 11 + i;
                case 9: r += 81; r ^= 71271; if (r > 900000) r -= 118; else r = r * 12 + i; break;
                case 10: r += 100; r ^= 79190; if (r > 1000000) r -= 131; else r = r * 13 + i; break;
                case 11: r += 121; r ^= 87109; if (r > 1100000) r -= 144; else r = r * 14 + i; break;
                case 12: r += 144; r ^= 95028; if (r > 1200000) r -= 157; else r = r * 15 + i;
                case 13: r += 169; r ^= 102947; if (r > 1300000) r -= 170; else r = r * 16 + i; break;
                case 14: r += 196; r ^= 110866; if (r > 1400000) r -= 183; else r = r * 17 + i; break;
                case 15: r += 225; r ^= 118785; if (r > 1500000) r -= 196; else r = r * 18 + i; break;
                case 16: r += 256; r ^= 126704; if (r > 1600000) r -= 209; else r = r * 19 + i;
                case 17: r += 289; r ^= 134623; if (r > 1700000) r -= 222; else r = r * 20 + i; break;
                case 18: r += 324; r ^= 142542; if (r > 1800000) r -= 235; else r = r * 21 + i; break;
                case 19: r += 361; r ^= 150461; if (r > 1900000) r -= 248; else r = r * 22 + i; break;
                case 20: r += 400; r ^= 158380; if (r > 2000000) r -= 261; else r = r * 23 + i;
                case 21: r += 441; r ^= 166299; if (r > 2100000) r -= 274; else r = r * 24 + i; break;
                case 22: r += 484; r ^= 174218; if (r > 2200000) r -= 287; else r = r * 25 + i; break;
                case 23: r += 529; r ^= 182137; if (r > 2300000) r -= 300; else r = r * 26 + i; break;
                case 24: r += 576; r ^= 190056; if (r > 2400000) r -= 313; else r = r * 27 + i;
                case 25: r += 625; r ^= 197975; if (r > 2500000) r -= 326; else r = r * 28 + i; break;
                case 26: r += 676; r ^= 205894; if (r > 2600000) r -= 339; else r = r * 29 + i; break;
                case 27: r += 729; r ^= 213813; if (r > 2700000) r -= 352; else r = r * 30 + i; break;
                case 28: r += 784; r ^= 221732; if (r > 2800000) r -= 365; else r = r * 31 + i;
                case 29: r += 841; r ^= 229651; if (r > 2900000) r -= 378; else r = r * 32 + i; break;
                case 30: r += 900; r ^= 237570; if (r > 3000000) r -= 391; else r = r * 33 + i; break;
                case 31: r += 961; r ^= 245489; if (r > 3100000) r -= 404; else r = r * 34 + i; break;
                case 32: r += 1024; r ^= 253408; if (r > 3200000) r -= 417; else r = r * 35 + i;
                case 33: r += 1089; r ^= 261327; if (r > 3300000) r -= 430; else r = r * 36 + i; break;
                case 34: r += 1156; r ^= 269246; if (r > 3400000) r -= 443; else r = r * 37 + i; break;
                case 35: r += 1225; r ^= 277165; if (r > 3500000) r -= 456; else r = r * 38 + i; break;
                case 36: r += 1296; r ^= 285084; if (r > 3600000) r -= 469; else r = r * 39 + i;
                case 37: r += 1369; r ^= 293003; if (r > 3700000) r -= 482; else r = r * 40 + i; break;
                case 38: r += 1444; r ^= 300922; if (r > 3800000) r -= 495; else r = r * 41 + i; break;
                case 39: r += 1521; r ^= 308841; if (r > 3900000) r -= 508; else r = r * 42 + i; break;
                default: r--;
            }
        }
        return r;
    }

    public static void main(String[] args) {
        System.out.println(ints(3));
        System.out.println(longs(5L));
        System.out.println(far(0) + " " + far(15) + " " + far(29) + " " + far(300));
        System.out.println(40000 + args.length + " " + (-40000 - args.length) + " " + (1e100 + args.length) + " " + 3.25f * (args.length + 1));
    }
}
